// SPDX-License-Identifier: Apache-2.0
import CTAP

/// An adapter from a client's prompts to a presenter.
struct PresentedInteraction: SecurityKeyInteraction {
    let presenter: any AuthorizationPresenter

    func show(_ prompt: SecurityKeyPrompt) async {
        await presenter.show(AuthorizationInstruction(kind: prompt.kind, text: prompt.sentence))
    }

    func enterPIN(_ request: PINPrompt) async -> String? {
        await presenter.enterPIN(
            AuthorizationPINPrompt(
                key: request.key.name, isNew: false, minimumLength: 4,
                problem: request.problem.map { Self.problem($0, triesLeft: request.triesLeft) }))
    }

    /// Returns the sentence, with the remaining attempts if it does not contain them.
    private static func problem(_ problem: SecurityKeyError, triesLeft: Int?) -> String {
        if case .wrongPIN(nil) = problem {
            return SecurityKeyError.wrongPIN(triesLeft: triesLeft).sentence
        }
        return problem.sentence
    }

    func choosePIN(_ request: NewPINPrompt) async -> String? {
        await presenter.enterPIN(
            AuthorizationPINPrompt(
                key: request.key.name, isNew: true, minimumLength: request.minimumLength,
                problem: request.problem?.sentence))
    }

    func chooseAccount(_ accounts: [SecurityKeyAccount]) async -> SecurityKeyAccount? {
        let names = accounts.enumerated().map { index, account in
            ShownText.safe(account.name ?? account.displayName ?? "Account \(index + 1)")
        }
        guard let index = await presenter.choose("Which account?", from: names),
            accounts.indices.contains(index)
        else { return nil }
        return accounts[index]
    }

    /// Empty: the caller of the ceremony reports the end to the presenter.
    func finished() async {}
}

extension SecurityKeyPrompt {
    fileprivate var kind: AuthorizationInstruction.Kind {
        switch self {
        case .insertKey: .insertKey
        case .touchOneOf, .touch, .fingerprintSample: .touch
        case .verify: .verify
        case .verificationFailed: .failure
        case .working: .working
        }
    }
}
