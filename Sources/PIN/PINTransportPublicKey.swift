// SPDX-License-Identifier: Apache-2.0
import Crypto
import Primitives

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
