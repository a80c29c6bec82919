// SPDX-License-Identifier: Apache-2.0
import AgentClient
import CTAP

/// The person at the agent, as the client of a security key prompts them.
struct PresenceInteraction: SecurityKeyInteraction {
    let conversation: any AgentConversation
    private static let greatestRounds = 3

    func show(_ prompt: SecurityKeyPrompt) async {
        switch prompt {
        case .insertKey: await conversation.report(.insertKey)
        case .touch, .touchOneOf: await conversation.report(.touchKey)
        case .verify: await conversation.report(.verifyAtKey)
        case .verificationFailed, .fingerprintSample, .working: break
        }
    }

    func enterPIN(_ request: PINPrompt) async -> String? {
        let tries = request.triesLeft.map { $0 == 1 ? " (the last try)" : " (\($0) tries left)" }
        let hint = request.problem == nil ? "" : tries ?? ""
        return await answer("PIN of the security key \(request.key.name)\(hint):")
    }

    func choosePIN(_ request: NewPINPrompt) async -> String? {
        for _ in 0..<Self.greatestRounds {
            let question =
                "Choose a PIN for the security key \(request.key.name), "
                + "\(request.minimumLength) characters or more:"
            guard let pin = await answer(question) else { return nil }
            guard let again = await answer("The same PIN again:") else { return nil }
            if pin == again { return pin }
            await conversation.report(.otherPIN)
        }
        return nil
    }

    private func answer(_ question: String) async -> String? {
        try? await conversation.ask(.secret(question))
    }

    /// The credential is named, so there is nothing to choose.
    func chooseAccount(_ accounts: [SecurityKeyAccount]) async -> SecurityKeyAccount? { nil }

    func finished() async {}
}
