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
