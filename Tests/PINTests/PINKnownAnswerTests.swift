// SPDX-License-Identifier: Apache-2.0
import Crypto
import CryptoExtras
import PIN
import Primitives
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The primitives of version 2 against published vectors: a library that changes them breaks every
/// stored secret.
@Suite struct PINKnownAnswerTests {
    struct HPKEVector: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var isWideKey: Bool
        var privateKey: String
        var encapsulatedKey: String
        var ciphertext: String
    }

    /// Base mode, DHKEM(P-256, HKDF-SHA256), HKDF-SHA256; information, additional data and plaintext
    /// are the same in both.
    static let hpke = [
        HPKEVector(
            testDescription: "RFC 9180 A.3.1, AES-128-GCM", isWideKey: false,
            privateKey: "f3ce7fdae57e1a310d87f1ebbde6f328be0a99cdbcadf4d6589cf29de4b8ffd2",
            encapsulatedKey: "04a92719c6195d5085104f469a8b9814d5838ff72b60501e2c4466e5e67b325ac9"
                + "8536d7b61a1af4b78e5b7f951c0900be863c403ce65c9bfcb9382657222d18c4",
            ciphertext: "5ad590bb8baa577f8619db35a36311226a896e7342a6d836d8b7bcd2f20b6c7f"
                + "9076ac232e3ab2523f39513434"),
        HPKEVector(
            testDescription: "the vectors of RFC 9180's authors, AES-256-GCM", isWideKey: true,
            privateKey: "317f915db7bc629c48fe765587897e01e282d3e8445f79f27f65d031a88082b2",
            encapsulatedKey: "04c06b4f6bebc7bb495cb797ab753f911aff80aefb86fd8b6fcc35525f3ab5f03e"
                + "0b21bd31a86c6048af3cb2d98e0d3bf01da5cc4c39ff5370d331a4f1f7d5a4e0",
            ciphertext: "58c61a45059d0c5704560e9d88b564a8b63f1364b8d1fcb3c4c6ddc1d2917424"
                + "65e902cd216f8908da49f8f96f"),
    ]

    @Test("HPKE on P-256 opens the published ciphertexts", arguments: hpke)
    func opens(_ vector: HPKEVector) throws {
        let key = try P256.KeyAgreement.PrivateKey(
            rawRepresentation: #require(Hexadecimal.decode(vector.privateKey)))
        let suite = HPKE.Ciphersuite(
            kem: .P256_HKDF_SHA256, kdf: .HKDF_SHA256,
            aead: vector.isWideKey ? .AES_GCM_256 : .AES_GCM_128)
        var recipient = try HPKE.Recipient(
            privateKey: key, ciphersuite: suite, info: Data("Ode on a Grecian Urn".utf8),
            encapsulatedKey: Data(#require(Hexadecimal.decode(vector.encapsulatedKey))))
        let opened = try recipient.open(
            #require(Hexadecimal.decode(vector.ciphertext)),
            authenticating: Array("Count-0".utf8))
        #expect(Array(opened) == Array("Beauty is truth, truth beauty".utf8))
    }

    @Test(
        "PBKDF2 with HMAC-SHA-256 is that of RFC 7914 section 11",
        arguments: [
            (
                "passwd", "salt", 1,
                "55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc"
            ),
            (
                "Password", "NaCl", 80_000,
                "4ddcd8f60b98be21830cee5ef22701f9641a4418d04c0414aeff08876b34ab56"
            ),
        ])
    func pbkdf2(_ password: String, _ salt: String, _ rounds: Int, _ expected: String) throws {
        let key = try KDF.Insecure.PBKDF2.deriveKey(
            from: Array(password.utf8), salt: Array(salt.utf8), using: .sha256,
            outputByteCount: 32, unsafeUncheckedRounds: rounds)
        #expect(key.withUnsafeBytes { Hexadecimal.encode(Array($0)) } == expected)
    }

    @Test("The pad of a PIN is the one that other implementations compute")
    func pad() {
        let pad = PINStretching.pbkdf2(Array("24681".utf8), [UInt8](0..<32), 210_000)
        #expect(
            pad.map { Hexadecimal.encode($0) }
                == "220a14a3e4b43365e40e95309b60d0b4120f4b0b5205be81716b626974581552")
        #expect(PINStretching.pbkdf2(Array("24681".utf8), [UInt8](0..<32), 209_999) == nil)
    }
}
