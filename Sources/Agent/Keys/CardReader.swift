// SPDX-License-Identifier: Apache-2.0
import Crypto
import PKCS11
import Platform
import Primitives

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
