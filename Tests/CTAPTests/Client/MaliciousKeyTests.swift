// SPDX-License-Identifier: Apache-2.0
import CTAP
import Crypto
import Support
import Testing
import WebAuthn

@Suite struct MaliciousKeyTests {
    private func fixture(_ misbehaviour: FaultInjection...) throws -> ClientFixture {
        var configuration = AuthenticatorConfiguration()
        configuration.misbehaviour = Set(misbehaviour)
        return try ClientFixture(configuration)
    }

    private func registrationFailure(_ fixture: ClientFixture) async -> SecurityKeyError? {
        await ClientFixture.failure { () throws(SecurityKeyError) in
            try await fixture.client.register(
                ClientFixture.creation(), caller: ClientFixture.caller)
        }
    }

    @Test(
        "Attack 34: a registration that is not what was asked for is not passed on",
        arguments: [
            (FaultInjection.wrongRPIDHash, "data for another relying party"),
            (.otherAlgorithm, "an algorithm that was not offered"),
            (.deniesPresence, "user presence is missing"), (.emptyReply, "an empty reply"),
        ])
    func registration(misbehaviour: FaultInjection, reason: String) async throws {
        #expect(
            await registrationFailure(try fixture(misbehaviour)) == .untrustworthyReply(reason))
    }

    @Test(
        "Attack 34: a reply that is no canonical CBOR is not read",
        arguments: [FaultInjection.malformedCBOR, .unsortedCBOR, .trailingBytes, .truncatedCBOR])
    func malformed(misbehaviour: FaultInjection) async throws {
        guard
            case .untrustworthyReply(let reason)? = await registrationFailure(
                try fixture(misbehaviour))
        else {
            Issue.record("accepted, or refused for another reason")
            return
        }
        #expect(reason.hasPrefix("not the reply of its command"))
    }

    @Test("Attack 34: an unknown status is an error with a sentence")
    func unknownStatus() async throws {
        let error = await registrationFailure(try fixture(.unknownStatus))
        #expect(error == .refused(CTAPStatus(rawValue: 0x6E)))
    }

    @Test(
        "Attack 34: an assertion that is not what was asked for is not passed on",
        arguments: [
            (FaultInjection.wrongRPIDHash, "data for another relying party"),
            (.otherCredential, "a credential that was not asked for"),
            (.deniesPresence, "user presence is missing"),
        ])
    func assertion(misbehaviour: FaultInjection, reason: String) async throws {
        let store = MemoryAuthenticatorStore()
        func client(_ misbehaviour: Set<FaultInjection>) throws -> SecurityKeyClient {
            var configuration = AuthenticatorConfiguration()
            configuration.misbehaviour = misbehaviour
            let key = try SoftwareAuthenticator(
                store: store, configuration: configuration, gesture: AutomaticGesture(),
                clock: ManualClock(), random: SeededRandom())
            return SecurityKeyClient(
                source: FixedAuthenticators([TestDevice("key", TestTransport(key))]),
                interaction: TestPerson(), random: SeededRandom(), delay: TestDelay())
        }
        let registration = try await client([]).register(
            ClientFixture.creation(), caller: ClientFixture.caller)
        var request = ClientFixture.request()
        request.allowCredentials = [
            CTAPCredentialDescriptor(id: registration.credentialId),
            CTAPCredentialDescriptor(id: [1, 2, 3]),
        ]
        let spoilt = try client([misbehaviour])
        let error = await ClientFixture.failure { () throws(SecurityKeyError) in
            try await spoilt.signIn(request, caller: ClientFixture.caller)
        }
        #expect(error == .untrustworthyReply(reason))
    }

    // MARK: Replies made by hand

    private func data(
        flags: UInt8, rpId: String = "example.org", extensions: [UInt8] = []
    ) -> [UInt8] {
        Array(SHA256.hash(data: Array(rpId.utf8))) + [flags, 0, 0, 0, 1] + extensions
    }

    /// Returns the client's error for a response to getAssertion.
    private func failure(
        _ response: GetAssertionResponse, allowList: [[UInt8]] = [[1]],
        extensions: AssertionExtensionInputs = AssertionExtensionInputs()
    ) async throws -> SecurityKeyError? {
        let info = AuthenticatorInfo(
            versions: ["FIDO_2_1"], aaguid: try #require(AAGUID([UInt8](repeating: 1, count: 16))))
        let transport = TestTransport { message in
            guard case .ctap2(let frame) = message else { return .failure(.closed) }
            switch frame.first {
            case 4: return .success([0] + info.encode())
            case 2, 8: return .success([0] + response.encode())
            default: return .success([1])
            }
        }
        var request = ClientFixture.request()
        request.allowCredentials = allowList.map { CTAPCredentialDescriptor(id: $0) }
        request.extensions = extensions
        let client = SecurityKeyClient(
            source: FixedAuthenticators([TestDevice("key", transport)]),
            interaction: TestPerson(), random: SeededRandom(), delay: TestDelay())
        return await ClientFixture.failure { () throws(SecurityKeyError) in
            try await client.signIn(request, caller: ClientFixture.caller)
        }
    }

    private func response(
        _ id: [UInt8]? = [1], data: [UInt8], signature: [UInt8] = [1]
    ) -> GetAssertionResponse {
        GetAssertionResponse(
            credential: id.map { CTAPCredentialDescriptor(id: $0) }, authenticatorData: data,
            signature: signature)
    }

    @Test("an assertion without an id is that of the only credential that was asked for")
    func omittedID() async throws {
        #expect(try await failure(response(nil, data: data(flags: 1))) == nil)
        #expect(
            try await failure(response(nil, data: data(flags: 1)), allowList: [])
                == .untrustworthyReply("no credential id"))
    }

    @Test("Attack 34: odd assertions are refused, each with its reason")
    func odd() async throws {
        let cases: [(GetAssertionResponse, String)] = [
            (response(data: data(flags: 1), signature: []), "a signature of that length"),
            (response(data: []), "malformed authenticator data"),
            (response(data: data(flags: 1) + [0]), "malformed authenticator data"),
            (response(data: data(flags: 0x41)), "malformed authenticator data"),
            (response(data: data(flags: 0)), "user presence is missing"),
            (response(data: data(flags: 1, rpId: "evil.org")), "data for another relying party"),
        ]
        for (response, reason) in cases {
            #expect(try await failure(response) == .untrustworthyReply(reason))
        }
        let many = [UInt8](repeating: 1, count: 1024)
        #expect(
            try await failure(response(many, data: data(flags: 1)), allowList: [])
                == .untrustworthyReply("a credential id of that length"))
    }

    @Test("Attack 34: more credentials than any key has, or the same one twice, are refused")
    func numbers() async throws {
        var reply = response(data: data(flags: 1))
        reply.user = CTAPUser(id: [1])
        reply.numberOfCredentials = 100_000
        #expect(
            try await failure(reply, allowList: [])
                == .untrustworthyReply("more credentials than any key has"))
        reply.numberOfCredentials = 2
        #expect(
            try await failure(reply, allowList: [])
                == .untrustworthyReply("the same credential twice"))
        reply.user = CTAPUser(id: [])
        #expect(
            try await failure(reply, allowList: []) == .untrustworthyReply("an empty user handle"))
    }

    @Test("Attack 28: output of an extension that was never asked for goes nowhere")
    func unsolicited() async throws {
        let output: [UInt8] = hex("a1 68 6372656442 6c6f62 41 05")
        #expect(
            try await failure(response(data: data(flags: 0x81, extensions: output))) == nil)
    }

    @Test("Attack 40: a damaged large-blob array is refused, and one without end is limited")
    func largeBlobs() async throws {
        var info = AuthenticatorInfo(
            versions: ["FIDO_2_1"], aaguid: try #require(AAGUID([UInt8](repeating: 1, count: 16))))
        info.options = ["largeBlobs": true]
        let reply = [0] + info.encode()
        func key(_ config: [UInt8]) async throws -> SecurityKey {
            try await SecurityKey.open(
                TestDevice(
                    "key",
                    TestTransport { message in
                        guard case .ctap2(let frame) = message else { return .failure(.closed) }
                        return .success(
                            frame.first == 4
                                ? reply : [0] + LargeBlobsResponse(config: config).encode())
                    }))
        }
        let damaged = try await key([0x80] + [UInt8](repeating: 0, count: 16))
        #expect(try await damaged.largeBlobs().count == 0)
        await #expect(throws: SecurityKeyError.storedDataDamaged) {
            try await damaged.largeBlobs(failIfDamaged: true)
        }
        let endless = try await key([UInt8](repeating: 0, count: 960))
        await #expect(
            throws: SecurityKeyError.untrustworthyReply("a large-blob array without end")
        ) { try await endless.largeBlobs() }
        let tooMuch = try await key([UInt8](repeating: 0, count: 961))
        await #expect(
            throws: SecurityKeyError.untrustworthyReply("a portion of a wrong length")
        ) { try await tooMuch.largeBlobs() }
    }
}
