// SPDX-License-Identifier: Apache-2.0
import Crypto
import PKCS11
import Primitives
import Support
import Testing

@Suite(.enabled(if: SoftwareTokens.isInstalled, "needs softhsm2, opensc and openssl"))
struct TokenKeysTests {
    private func keys(
        _ label: String? = SharedTokens.machine, pin: String = SoftwareTokens.pin
    ) async throws -> TokenKeys {
        _ = try await SharedTokens.ready
        return TokenKeys(module: SoftwareTokens.module, label: label, pin: Secret(pin))
    }

    private let id = SystemRandomSource().bytes(16)
    private static let digest = [UInt8](repeating: 1, count: 32)

    @Test("A key that a token makes signs, and only as that key")
    func signing() async throws {
        let keys = try await keys()
        let id = id
        let point = try await blocking { try keys.makeKey(for: .signing, id: id, name: "test") }
        let digest = SHA256.hash(data: [1, 2, 3])
        let signature = try await blocking { try keys.sign(digest: Array(digest), with: id) }
        let key = try P256.Signing.PublicKey(x963Representation: [4] + point)
        #expect(
            key.isValidSignature(
                try P256.Signing.ECDSASignature(rawRepresentation: signature), for: digest))
        try await blocking { try keys.destroy(id) }
        await #expect(throws: PKCS11Error.noKey) {
            try await blocking { try keys.sign(digest: Array(digest), with: id) }
        }
    }

    @Test("A key that a token makes agrees with another on the same secret as the other with it")
    func agreement() async throws {
        let (keys, id) = (try await keys(), id)
        let point = try await blocking { try keys.makeKey(for: .agreement, id: id, name: "test") }
        let other = P256.KeyAgreement.PrivateKey()
        let agreed = try await blocking {
            try keys.sharedSecret(of: id, with: Array(other.publicKey.rawRepresentation))
        }
        let expected = try other.sharedSecretFromKeyAgreement(
            with: P256.KeyAgreement.PublicKey(x963Representation: [4] + point))
        #expect(agreed.reveal() == expected.withUnsafeBytes { Array($0) })
        try await blocking { try keys.destroy(id) }
    }

    @Test("A key has one use: one for agreement does not sign, one for signing does not agree")
    func use() async throws {
        let keys = try await keys()
        let (first, second) = (id, SystemRandomSource().bytes(16))
        try await blocking {
            _ = try keys.makeKey(for: .agreement, id: first, name: "test")
            _ = try keys.makeKey(for: .signing, id: second, name: "test")
        }
        await #expect(throws: PKCS11Error.self) {
            try await blocking {
                try keys.sign(digest: Self.digest, with: first)
            }
        }
        let other = P256.KeyAgreement.PrivateKey().publicKey.rawRepresentation
        await #expect(throws: PKCS11Error.self) {
            try await blocking { try keys.sharedSecret(of: second, with: Array(other)) }
        }
        try await blocking {
            try keys.destroy(first)
            try keys.destroy(second)
        }
    }

    @Test("A point that is not on the curve is refused", arguments: [0, 32, 63, 64, 65])
    func point(size: Int) async throws {
        let (keys, id) = (try await keys(), id)
        _ = try await blocking { try keys.makeKey(for: .agreement, id: id, name: "test") }
        await #expect(throws: PKCS11Error.self) {
            try await blocking {
                try keys.sharedSecret(of: id, with: [UInt8](repeating: 1, count: size))
            }
        }
        try await blocking { try keys.destroy(id) }
    }

    @Test("A wrong PIN is told from everything else, and the right one works afterwards")
    func pin() async throws {
        let wrong = try await keys(pin: "000000")
        await #expect(throws: PKCS11Error.pinIncorrect) {
            try await blocking { try wrong.sign(digest: Self.digest, with: [1]) }
        }
        let right = try await keys()
        await #expect(throws: PKCS11Error.noKey) {
            try await blocking { try right.sign(digest: Self.digest, with: [1]) }
        }
    }

    @Test("A token that is not there, and one that is not named among several, is no token")
    func missing() async throws {
        for label in ["nobody's", nil] {
            let keys = try await keys(label)
            let error = await #expect(throws: PKCS11Error.self) {
                try await blocking { try keys.sign(digest: Self.digest, with: [1]) }
            }
            guard case .noToken? = error else { throw HarnessError("\(error, default: "none")") }
        }
    }

    @Test("A key of one token is not on another")
    func otherToken() async throws {
        let (keys, other, id) = (try await keys(), try await keys(SharedTokens.other), id)
        _ = try await blocking { try keys.makeKey(for: .signing, id: id, name: "test") }
        await #expect(throws: PKCS11Error.noKey) {
            try await blocking {
                try other.sign(digest: Self.digest, with: id)
            }
        }
        try await blocking { try keys.destroy(id) }
    }

    @Test(
        "What is no module is an error that says so",
        arguments: ["libsofthsm2.so", "/nowhere/module.so", "/etc/passwd", "/usr/lib", ""])
    func module(path: String) async throws {
        let keys = TokenKeys(module: path, label: nil, pin: Secret("1"))
        let error = await #expect(throws: PKCS11Error.self) {
            try await blocking { try keys.sign(digest: Self.digest, with: [1]) }
        }
        guard case .module? = error else { throw HarnessError("\(error, default: "none")") }
    }

    @Test("Calls from many threads at once all get their own answers")
    func threads() async throws {
        let (keys, id) = (try await keys(), id)
        let point = try await blocking { try keys.makeKey(for: .signing, id: id, name: "test") }
        let key = try P256.Signing.PublicKey(x963Representation: [4] + point)
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in UInt8(0)..<8 {
                group.addTask {
                    let digest = SHA256.hash(data: [number])
                    let signature = try await blocking {
                        try keys.sign(digest: Array(digest), with: id)
                    }
                    return key.isValidSignature(
                        try P256.Signing.ECDSASignature(rawRepresentation: signature),
                        for: digest)
                }
            }
            for try await isValid in group { #expect(isValid) }
        }
        try await blocking { try keys.destroy(id) }
    }
}
