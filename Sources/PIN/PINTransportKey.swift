// SPDX-License-Identifier: Apache-2.0
import Crypto
package import Primitives

/// The device's key pair for receiving one secret (P-256). It is never stored and opens one
/// delivery: one secret sealed twice under one PIN would reveal that PIN.
package struct PINTransportKey: ~Copyable, Sendable {
    private let key: P256.KeyAgreement.PrivateKey

    package init() { key = P256.KeyAgreement.PrivateKey() }

    /// The key of a test vector: 32 bytes, otherwise `nil`.
    package init?(scalar: Secret) {
        guard let key = try? P256.KeyAgreement.PrivateKey(rawRepresentation: scalar.reveal())
        else { return nil }
        self.key = key
    }

    package var publicKey: PINTransportPublicKey {
        PINTransportPublicKey(p256: Array(key.publicKey.x963Representation))
    }

    /// Opens a delivery that the server signed for this key.
    ///
    /// - Throws: ``PINStatementError/deliveryUnusable`` if it was made for another key, binding or
    ///   version. The key is then consumed too: request a new secret with a new one.
    package consuming func open(
        _ delivery: VerifiedPINDelivery
    ) throws(PINStatementError) -> DeliveredPINSecret {
        let opened = try? PINEncryption.open(
            delivery.box, with: key,
            info: publicKey.info(delivery.binding, delivery.version),
            authenticating: publicKey.bytes)
        guard let opened, opened.count == PINSecret.length else { throw .deliveryUnusable }
        return DeliveredPINSecret(
            bytes: WipedBytes(opened), version: delivery.version, binding: delivery.binding)
    }
}

/// The public half of a transport key. Its form is that of one version of the protocol.
package struct PINTransportPublicKey: Sendable, Equatable {
    package let bytes: [UInt8]
    package let protocolVersion: PINProtocolVersion

    fileprivate init(p256 bytes: [UInt8]) {
        self.bytes = bytes
        protocolVersion = .two
    }

    /// Reads 32 bytes of X25519 (version 1) or the 65 bytes of an uncompressed point on P-256
    /// (version 2, SEC 1 section 2.3.3).
    ///
    /// Rejects points that are not on the curve, and X25519 points of small order, for which the
    /// shared secret is publicly known (RFC 7748 section 6.1). The cryptographic library accepts
    /// the latter.
    package init?(bytes: [UInt8]) {
        switch bytes.count {
        case Self.x25519Length:
            guard Self.isUsable(x25519: bytes) else { return nil }
            protocolVersion = .one
        case Self.p256Length:
            guard (try? P256.KeyAgreement.PublicKey(x963Representation: bytes)) != nil else {
                return nil
            }
            protocolVersion = .two
        default: return nil
        }
        self.bytes = bytes
    }

    private static let x25519Length = 32
    private static let p256Length = 65

    private static func isUsable(x25519 bytes: [UInt8]) -> Bool {
        guard let key = try? Curve25519.KeyAgreement.PublicKey(rawRepresentation: bytes),
            let shared = try? probe.sharedSecretFromKeyAgreement(with: key)
        else { return false }
        return shared.withUnsafeBytes { $0.contains { $0 != 0 } }
    }

    /// An arbitrary private key: with a point of small order the shared secret is zero.
    private static let probe = Curve25519.KeyAgreement.PrivateKey()

    /// Returns the bytes that both sides add to the key schedule.
    fileprivate func info(_ binding: PINBinding, _ version: UInt32) -> [UInt8] {
        var transcript = PINTranscript(.delivery, binding, protocolVersion)
        transcript.append(version)
        return transcript.bytes
    }

    private var recipient: PINEncryption.Recipient {
        switch protocolVersion {
        case .one: .x25519(bytes)
        case .two: .p256(bytes)
        }
    }

    /// Seals a secret to this key.
    func seal(
        _ secret: Secret, version: UInt32, _ binding: PINBinding
    ) throws(PINServiceError) -> PINSecretBox {
        do {
            return try PINEncryption.seal(
                secret.reveal(), to: recipient, info: info(binding, version),
                authenticating: bytes)
        } catch { throw PINServiceError(.transport, "HPKE failed: \(error)") }
    }
}
