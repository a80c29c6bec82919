// SPDX-License-Identifier: Apache-2.0
import AgentClient
import PKCS11
import PlatformSSO
import Primitives

/// Signs in with a smart card: the card must be in a reader, and each sign-in needs its PIN.
struct CardSignIn: Sendable {
    /// `nil` if the device has no readers.
    let cards: CardReader?
    let clock: any WallClock

    /// The tries for a PIN; most cards lock after the third.
    private static let maximumTries = 3

    func signIn(
        _ client: ProviderClient, _ user: UserLoginConfiguration, groups: [String],
        _ conversation: any AgentConversation
    ) async throws -> VerifiedLogin {
        guard let cards else { throw AgentRefusal.noCardReader }
        var round = 1
        while true {
            let card = try await chosenCard(cards, conversation)
            let pin = try await pin(of: card, conversation)
            do throws(ProviderError) {
                return try await client.signIn(user, card: card, groups: groups) {
                    message async throws(PKCS11Error) in
                    try await cards.sign(message, with: card, pin: pin)
                }
            } catch {
                guard case .card(.pinIncorrect) = error, round < Self.maximumTries else {
                    throw error
                }
                await conversation.report(.wrongPIN)
                round += 1
            }
        }
    }

    /// Returns the only card in the readers, or the card that the person chooses.
    private func chosenCard(
        _ reader: CardReader, _ conversation: any AgentConversation
    ) async throws -> PersonCard {
        while true {
            let cards = try await reader.present(now: clock.now)
            if cards.count == 1, let card = cards.first { return card }
            guard cards.isEmpty else {
                let titles = cards.map(\.title)
                let answer = try await conversation.ask(.choice("Which card?", titles))
                guard let index = titles.firstIndex(of: answer) else { continue }
                return cards[index]
            }
            _ = try await conversation.ask(
                .line("Insert your smart card, then press Enter.", suggestion: "look again"))
        }
    }

    /// Returns the PIN; `nil` if the person types it at the reader.
    private func pin(
        of card: PersonCard, _ conversation: any AgentConversation
    ) async throws -> Secret? {
        let token = card.card.token
        let warning =
            switch token.pinState {
            case .untouched: ""
            case .low: " (a wrong one was typed before)"
            case .finalTry: " (the last try before it locks)"
            case .locked: throw ProviderError.card(.pinLocked)
            }
        guard !token.hasPINPad else {
            await conversation.report(.pinAtReader)
            return nil
        }
        return Secret(try await conversation.ask(.secret("PIN of \(card.title)\(warning):")))
    }
}
