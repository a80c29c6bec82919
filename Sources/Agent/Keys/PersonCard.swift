// SPDX-License-Identifier: Apache-2.0
import JOSE
import PKCS11
import Primitives
import WebAuthn

/// A certificate on a smart card with which a person can sign in.
struct PersonCard: Sendable {
    let card: CardCertificate
    let publicKey: PublicJWK
    /// For a person to choose by.
    let title: String

    /// `nil` for certificates of authorities, those out of their time, and keys that sign nothing here:
    /// only P-256 and RSA do.
    init?(_ card: CardCertificate, now: Timestamp) {
        guard let leaf = try? AttestationChain(der: [card.certificate]).leaf, !leaf.isAuthority,
            leaf.isValid(at: now), let key = leaf.publicKey
        else { return nil }
        switch key.material {
        case .ellipticCurve(.p256, _, _), .rsa: break
        default: return nil
        }
        self.card = card
        publicKey = key
        let name = leaf.shortName ?? leaf.subjectText
        title = card.label.isEmpty || card.label == name ? name : "\(name) (\(card.label))"
    }

    var algorithm: SmartCards.Algorithm {
        if case .rsa = publicKey.material { .rsa } else { .ecdsa }
    }
}
