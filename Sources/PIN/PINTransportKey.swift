// SPDX-License-Identifier: Apache-2.0
import Crypto
import Primitives

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The device's key pair for receiving one secret (X25519). It is never stored and opens one
/// delivery: one secret sealed twice under one PIN would reveal that PIN.
package struct PINTransportKey: ~Copyable, Sendable {
    private let key: Curve25519.KeyAgreement.PrivateKey

    package init() { key = Curve25519.KeyAgreement.PrivateKey() }

    package var publicKey: PINTransportPublicKey {
        PINTransportPublicKey(unchecked: Array(key.publicKey.rawRepresentation))
    }

    /// Opens a delivery that the server signed for this key.
    ///
    /// - Throws: ``PINStatementError/deliveryUnusable`` if it was made for another key, binding or
    ///   version. The key is then consumed too: request a new secret with a new one.
    package consuming func open(
        _ delivery: VerifiedPINDelivery
    ) throws(PINStatementError) -> DeliveredPINSecret {
        let box = delivery.box
        do {
            var recipient = try HPKE.Recipient(
                privateKey: key, ciphersuite: PINTransportPublicKey.suite,
                info: PINTransportPublicKey.info(delivery.binding, delivery.version),
                encapsulatedKey: Data(box.encapsulatedKey))
            let secret = try recipient.open(
                box.ciphertext, authenticating: publicKey.bytes)
            guard secret.count == PINSecret.length else { throw PINStatementError.deliveryUnusable }
            return DeliveredPINSecret(
                bytes: WipedBytes(Array(secret)), version: delivery.version,
                binding: delivery.binding)
        } catch { throw .deliveryUnusable }
    }
}

/// The public half of a transport key.
package struct PINTransportPublicKey: Sendable, Equatable {
    package static let length = 32
    package let bytes: [UInt8]

    /// RFC 9180 section 7: DHKEM(X25519, HKDF-SHA256), HKDF-SHA256, ChaCha20Poly1305. There is no
    /// negotiation.
    fileprivate static let suite = HPKE.Ciphersuite.Curve25519_SHA256_ChachaPoly

    fileprivate init(unchecked bytes: [UInt8]) { self.bytes = bytes }

    /// Rejects points of small order, for which the shared secret is publicly known (RFC 7748
    /// section 6.1). The cryptographic library accepts them.
    package init?(bytes: [UInt8]) {
        guard bytes.count == Self.length,
            let key = try? Curve25519.KeyAgreement.PublicKey(rawRepresentation: bytes),
            let shared = try? Self.probe.sharedSecretFromKeyAgreement(with: key),
            shared.withUnsafeBytes({ $0.contains { $0 != 0 } })
        else { return nil }
        self.bytes = bytes
    }

    /// An arbitrary private key: with a point of small order the shared secret is zero.
    private static let probe = Curve25519.KeyAgreement.PrivateKey()

    /// Returns the bytes that both sides add to the key schedule.
    fileprivate static func info(_ binding: PINBinding, _ version: UInt32) -> Data {
        var transcript = PINTranscript(.delivery, binding)
        transcript.append(version)
        return Data(transcript.bytes)
    }

    /// Seals a secret to this key (RFC 9180 section 5.1.1). The ephemeral key is the library's.
    func seal(
        _ secret: Secret, version: UInt32, _ binding: PINBinding
    ) throws(PINServiceError) -> PINSecretBox {
        do {
            var sender = try HPKE.Sender(
                recipientKey: Curve25519.KeyAgreement.PublicKey(rawRepresentation: bytes),
                ciphersuite: Self.suite, info: Self.info(binding, version))
            let ciphertext = try sender.seal(secret.reveal(), authenticating: bytes)
            return PINSecretBox(
                encapsulatedKey: Array(sender.encapsulatedKey), ciphertext: Array(ciphertext))
        } catch { throw PINServiceError(.transport, "HPKE failed: \(error)") }
    }
}

/// A sealed secret in its transmitted form.
struct PINSecretBox: Sendable, Equatable {
    /// `enc` of RFC 9180, 32 bytes.
    var encapsulatedKey: [UInt8]
    /// 32 bytes of secret and 16 of tag.
    var ciphertext: [UInt8]
}
