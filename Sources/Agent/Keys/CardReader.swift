// SPDX-License-Identifier: Apache-2.0
import Crypto
import JOSE
import PKCS11
import Platform
import Primitives
import WebAuthn

/// A certificate on a smart card with which somebody can sign in.
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

/// The readers of this machine, and the cards that are in them.
package struct CardReader: Sendable {
    private let cards: SmartCards

    /// - Parameter module: Absolute path of the PKCS#11 module that knows the cards.
    package init(module: String) { cards = SmartCards(module: module) }

    /// The cards that are there now.
    func present(now: Timestamp) async throws -> [PersonCard] {
        let cards = cards
        return try await BlockingCall.run { try cards.certificates() }
            .compactMap { PersonCard($0, now: now) }
    }

    /// The signature as JWS has it, ES256 or RS256.
    ///
    /// - Parameter pin: `nil` when it is typed at the reader.
    func sign(
        _ message: [UInt8], with card: PersonCard, pin: Secret?
    ) async throws(PKCS11Error) -> [UInt8] {
        let (cards, digest) = (cards, Array(SHA256.hash(data: message)))
        do {
            return try await BlockingCall.run {
                try cards.sign(digest: digest, with: card.card, pin: pin, card.algorithm)
            }
        } catch let error as PKCS11Error { throw error } catch {
            throw .refused(call: "a thread", code: 0)
        }
    }
}
