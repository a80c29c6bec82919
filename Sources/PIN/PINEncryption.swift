// SPDX-License-Identifier: Apache-2.0
import Crypto
import Primitives

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// HPKE, RFC 9180, base mode, one message for each key schedule. Each version has one suite; nothing
/// is negotiated.
enum PINEncryption {
    /// The public key of a recipient.
    enum Recipient {
        /// Version 1: DHKEM(X25519, HKDF-SHA256), HKDF-SHA256, ChaCha20Poly1305. 32 bytes.
        case x25519([UInt8])
        /// Version 2: DHKEM(P-256, HKDF-SHA256), HKDF-SHA256, AES-256-GCM. The uncompressed point,
        /// 65 bytes.
        case p256([UInt8])
    }

    static let p256Suite = HPKE.Ciphersuite.P256_SHA256_AES_GCM_256

    /// Seals `plaintext` (RFC 9180 section 6.1). The ephemeral key is the library's.
    static func seal(
        _ plaintext: [UInt8], to recipient: Recipient, info: [UInt8], authenticating: [UInt8]
    ) throws -> PINSecretBox {
        var sender =
            switch recipient {
            case .x25519(let key):
                try HPKE.Sender(
                    recipientKey: Curve25519.KeyAgreement.PublicKey(rawRepresentation: key),
                    ciphersuite: .Curve25519_SHA256_ChachaPoly, info: Data(info))
            case .p256(let point):
                try HPKE.Sender(
                    recipientKey: P256.KeyAgreement.PublicKey(x963Representation: point),
                    ciphersuite: p256Suite, info: Data(info))
            }
        let ciphertext = try sender.seal(plaintext, authenticating: authenticating)
        return PINSecretBox(
            encapsulatedKey: Array(sender.encapsulatedKey), ciphertext: Array(ciphertext))
    }

    /// Opens a box of version 2.
    static func open(
        _ box: PINSecretBox, with key: P256.KeyAgreement.PrivateKey, info: [UInt8],
        authenticating: [UInt8]
    ) throws -> [UInt8] {
        var recipient = try HPKE.Recipient(
            privateKey: key, ciphersuite: p256Suite, info: Data(info),
            encapsulatedKey: Data(box.encapsulatedKey))
        return Array(try recipient.open(box.ciphertext, authenticating: authenticating))
    }
}

/// The result of HPKE in its transmitted form.
struct PINSecretBox: Sendable, Equatable {
    /// `enc` of RFC 9180: 32 bytes in version 1, 65 in version 2.
    var encapsulatedKey: [UInt8]
    /// 32 bytes of secret or proof, and 16 of tag.
    var ciphertext: [UInt8]

    static let encapsulatedKeyLength = 65
    static let ciphertextLength = PINSecret.length + 16
}
