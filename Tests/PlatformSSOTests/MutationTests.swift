// SPDX-License-Identifier: Apache-2.0
import JOSE
import PlatformSSO
import Primitives
import Support
import Testing

/// Damaged at random: every message is refused or left as it was, and none traps.
@Suite("Mutations", .timeLimit(.minutes(2)))
struct MutationTests {
    private let parties = TestParties()
    private let random = SeededRandom(seed: 77)

    private var keys: [JSONWebKey] {
        [
            parties.deviceSigning, parties.deviceEncryption, parties.userKey,
            parties.providerEncryption,
        ]
        .map(JSONWebKey.privateKey)
    }

    /// Flips, cuts, doubles and inserts.
    private func damage(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0...(random.next() % 3) where !bytes.isEmpty {
            let index = Int(random.next() % UInt64(bytes.count))
            switch random.next() % 4 {
            case 0: bytes[index] ^= UInt8(1 << (random.next() % 8))
            case 1:
                bytes.removeSubrange(index..<min(bytes.count, index + 1 + Int(random.next() % 9)))
            case 2: bytes.insert(contentsOf: bytes[..<index].suffix(20), at: index)
            default: bytes.insert(UInt8(truncatingIfNeeded: random.next()), at: index)
            }
        }
        return bytes
    }

    @Test("Damaged messages are never accepted")
    func messages() throws {
        var configuration = parties.configuration
        configuration.loginRequestEncryptionPublicKey = parties.providerEncryption.publicKey
        let context = parties.context()
        let encryption = ResponseEncryption(
            recipient: parties.deviceEncryption.publicKey, apv: context.apv)
        let key = Secret([UInt8](repeating: 7, count: 32))
        let messages = [
            try parties.login(), try parties.assertionLogin(),
            try parties.login(context: parties.context(configuration)),
            try parties.sign(context.refresh(Secret("r"))),
            try KeyResponse(.key(key), keyContext: "c", now: TestParties.now)
                .sealed(for: encryption, random: parties.random),
        ]
        for message in messages {
            #expect(inspect(message) == nil)
            for _ in 0..<400 {
                let damaged = damage(message)
                #expect((inspect(damaged) == nil) == (damaged == message))
            }
        }
    }

    private func inspect(_ message: [UInt8]) -> PlatformSSORefusal? {
        MessageInspection(
            of: String(decoding: message, as: UTF8.self), keys: keys, now: TestParties.now
        ).refusal
    }

    @Test(
        "Damaged claims under a right signature: the provider's verifier and the inspection agree")
    func claims() throws {
        let signer = try JOSESigner(
            parties.deviceSigning.with(
                KeyParameters(keyID: KeyIdentifier(parties.deviceSigning.publicKey).description)),
            algorithm: .es256)
        let context = parties.context()
        let login = try context.login(
            .password(Secret("x")), groups: ["staff"], random: parties.random)
        for _ in 0..<1500 {
            let payload = damage(login.claims.bytes)
            let message = try signer.sign(
                payload: payload, typ: MessageType.loginRequest.rawValue)
            let verified = parties.verify(message)
            guard let refusal = inspect(message) else { continue }
            // What is refused without the provider's records is refused with them.
            #expect(code(verified) != nil, "\(refusal)")
        }
    }

    @Test("Damaged contents of answers are read or refused")
    func contents() throws {
        let bodies = [
            parties.loginResponse("a.b.c").json,
            KeyResponse(.certificate([0x30, 0]), keyContext: "c", now: TestParties.now).json,
        ]
        for body in bodies {
            for _ in 0..<1000 {
                guard let members = try? JSONParser.parseObject(damage(body), maximumBytes: 65_536)
                else { continue }
                _ = try? LoginResponse(members)
                _ = try? KeyResponse(members, now: TestParties.now)
            }
        }
    }
}
