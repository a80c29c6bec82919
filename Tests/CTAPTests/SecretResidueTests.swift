// SPDX-License-Identifier: Apache-2.0
import CTAP
import Foundation
import Primitives
import Support
import Testing

/// Checks for PINs, shared secrets and private keys in released memory, which it reads through
/// `/proc/self/mem`.
@Suite struct SecretResidueTests {
    /// A named operation that creates a secret.
    struct Maker: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let make: @Sendable () throws -> Secret
    }

    private static func shared() throws -> (client: PINSharedSecret, key: PINSharedSecret) {
        let random = SystemRandomSource()
        let key = PINKeyAgreement(random: random)
        let (sent, client) = try PINKeyAgreement.encapsulate(
            for: key.publicKey, .two, random: random)
        return (client, try key.sharedSecret(with: sent, .two))
    }

    private static func pin() throws -> ClientPIN {
        try #require(ClientPIN(String(repeating: "80", count: 30)))
    }

    static let makers = [
        Maker(testDescription: "a padded PIN") { try pin().padded },
        Maker(testDescription: "a padded PIN that was decrypted") {
            let (client, key) = try shared()
            return try key.decrypt(
                client.encrypt(try pin().padded, random: SystemRandomSource()))
        },
        Maker(testDescription: "salts that were decrypted") {
            let (client, key) = try shared()
            let salts = Secret([UInt8](repeating: 0xC3, count: 64))
            return try key.decrypt(client.encrypt(salts, random: SystemRandomSource()))
        },
        Maker(testDescription: "the whole state, with its private keys") {
            AuthenticatorState(
                random: SystemRandomSource(),
                attestationKey: Secret(SystemRandomSource().bytes(32)),
                attestationCertificate: SystemRandomSource().bytes(64)
            ).encode()
        },
    ]

    @Test("Attack 37: secrets are overwritten when they are no longer used", arguments: makers)
    func overwritten(_ maker: Maker) throws {
        var secret: Secret? = try maker.make()
        let (address, content) = try #require(secret).withBytes {
            (UInt(bitPattern: $0.baseAddress), $0.map { $0 ^ 0xFF })
        }
        #expect(try same(address, content) == content.count)
        secret = nil
        // The allocator writes its own 16 bytes into what it got back; zeros match zeros.
        let zeros = content.count { $0 == 0xFF }
        #expect(try same(address, content) <= zeros + 20)
    }

    /// Returns the number of bytes at the address that still have the given complement.
    private func same(_ address: UInt, _ complement: [UInt8]) throws -> Int {
        let file = open("/proc/self/mem", O_RDONLY | O_CLOEXEC)
        try #require(file >= 0)
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: complement.count)
        try #require(pread(file, &bytes, bytes.count, off_t(address)) == bytes.count)
        return zip(bytes, complement).count { $0 == ~$1 }
    }

    @Test("Attack 37: a PIN of the key, kept or wrong, is compared as a secret and never printed")
    func printed() throws {
        var dumped = ""
        let pin = try Self.pin()
        dump(pin, to: &dumped)
        dump(pin.hash, to: &dumped)
        dump(try Self.shared(), to: &dumped)
        #expect(!dumped.contains("8080"))
        #expect(dumped.contains("[redacted]"))
        #expect(pin.hash != (try #require(ClientPIN("1234"))).hash)
    }
}
