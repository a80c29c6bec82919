// SPDX-License-Identifier: Apache-2.0
import CTAP
import Crypto
import Testing

/// CTAP1 from the key's side.
@Suite struct AuthenticatorU2FTests {
    private let application = [UInt8](repeating: 1, count: 32)
    private let challenge = [UInt8](repeating: 2, count: 32)

    private func send(_ key: TestKey, _ request: U2FRequest) async throws -> ResponseAPDU {
        let apdu = try #require(request.apdu.extended)
        return try #require(ResponseAPDU(await key.key.respond(toMessage: apdu)))
    }

    private func register(_ key: TestKey) async throws -> U2FRegistration {
        let reply = try await send(
            key, .register(challenge: challenge, application: application))
        #expect(reply.status == .ok)
        return try #require(U2FRegistration(reply.data))
    }

    private func authenticate(
        _ control: U2FRequest.Control, _ keyHandle: [UInt8], _ application: [UInt8]? = nil
    ) -> U2FRequest {
        .authenticate(
            control, challenge: challenge, application: application ?? self.application,
            keyHandle: keyHandle)
    }

    @Test("A key handle signs, with a counter that rises")
    func roundTrip() async throws {
        let key = try TestKey()
        let handle = try await register(key).keyHandle
        let first = try await send(key, authenticate(.enforcePresenceAndSign, handle))
        let second = try await send(key, authenticate(.enforcePresenceAndSign, handle))
        #expect(first.status == .ok && first.data[0] == 1)
        #expect(first.data[1..<5].lexicographicallyPrecedes(second.data[1..<5]))
        let silent = try await send(key, authenticate(.signWithoutPresence, handle))
        #expect(silent.status == .ok && silent.data[0] == 0)
    }

    @Test("A check says whose the handle is, without a touch and without a signature")
    func checkOnly() async throws {
        let key = try TestKey()
        let handle = try await register(key).keyHandle
        _ = key.gesture.takePrompts()
        #expect(
            try await send(key, authenticate(.checkOnly, handle)).status
                == .conditionsNotSatisfied)
        let other = [UInt8](repeating: 9, count: 32)
        for request in [
            authenticate(.checkOnly, handle, other), authenticate(.checkOnly, [1, 2, 3]),
            authenticate(.enforcePresenceAndSign, handle, other),
        ] {
            #expect(try await send(key, request).status == .wrongData)
        }
        #expect(key.gesture.takePrompts().isEmpty)
    }

    @Test("Without a touch nothing is registered or signed")
    func untouched() async throws {
        let key = try TestKey()
        let handle = try await register(key).keyHandle
        for request in [
            U2FRequest.register(challenge: challenge, application: application),
            authenticate(.enforcePresenceAndSign, handle),
        ] {
            key.gesture.answer(.timedOut)
            let reply = try await send(key, request)
            #expect(reply.status == .conditionsNotSatisfied && reply.data.isEmpty)
        }
    }

    @Test("A credential that requires verification does not exist for U2F")
    func protected() async throws {
        let key = try TestKey()
        var creation = TestKey.creation()
        var extensions = MakeCredentialExtensions()
        extensions.credProtect = 3
        creation.extensions = extensions
        let data = try await key.make(creation).authenticatorData
        let id = Array(data.dropFirst(55).prefix(Int(data[53]) << 8 | Int(data[54])))
        let hash = Array(SHA256.hash(data: Array("example.com".utf8)))
        #expect(
            try await send(key, authenticate(.enforcePresenceAndSign, id, hash)).status
                == .wrongData)
    }

    @Test("A U2F credential signs over CTAP2 too")
    func upgrade() async throws {
        let key = try TestKey()
        let reply = try await send(
            key,
            .register(
                challenge: challenge,
                application: Array(SHA256.hash(data: Array("example.com".utf8)))))
        let handle = try #require(U2FRegistration(reply.data)).keyHandle
        _ = try await key.get(TestKey.assertion(allow: [handle]))
    }

    @Test("Attack 41: two registrations have different attestation certificates")
    func certificates() async throws {
        let key = try TestKey()
        let (first, second) = (try await register(key), try await register(key))
        #expect(first.certificate != second.certificate)
    }

    @Test("Malformed commands are refused")
    func malformed() async throws {
        let key = try TestKey()
        let cases: [([UInt8], StatusWord)] = [
            ([], .wrongLength), ([0, 1, 0], .wrongLength),
            ([0, 9, 0, 0], .instructionNotSupported), ([0x80, 1, 0, 0], .classNotSupported),
            ([0, 1, 0, 0, 0, 0, 1, 7], .wrongLength),
        ]
        for (apdu, status) in cases {
            let reply = await key.key.respond(toMessage: apdu)
            #expect(ResponseAPDU(reply)?.status == status, "\(apdu)")
        }
        let silent = try TestKey { $0.speaksU2F = false }
        #expect(try await send(silent, .version).status == .instructionNotSupported)
        #expect(try await send(key, .version).data == Array("U2F_V2".utf8))
    }
}
