// SPDX-License-Identifier: Apache-2.0
import CTAP

/// A person who follows the prompts. Each prompt is printed as a line, so that a test can follow
/// the ceremony.
struct PrintedPrompts: SecurityKeyInteraction {
    let pin: String?

    func show(_ prompt: SecurityKeyPrompt) async {
        switch prompt {
        case .insertKey: LineOutput.say("prompt insert")
        case .touch: LineOutput.say("prompt touch")
        case .touchOneOf: LineOutput.say("prompt touch one")
        case .verify: LineOutput.say("prompt verify")
        case .verificationFailed, .fingerprintSample, .working: break
        }
    }

    func enterPIN(_ request: PINPrompt) async -> String? {
        LineOutput.say("prompt PIN")
        // The same PIN a second time would be as wrong.
        return request.problem == nil ? pin : nil
    }

    func choosePIN(_ request: NewPINPrompt) async -> String? { pin }

    func chooseAccount(_ accounts: [SecurityKeyAccount]) async -> SecurityKeyAccount? {
        accounts.first
    }

    func finished() async {}
}

/// An interaction without a person: it answers no prompt.
struct Unattended: SecurityKeyInteraction {
    func show(_ prompt: SecurityKeyPrompt) async {}
    func enterPIN(_ request: PINPrompt) async -> String? { nil }
    func choosePIN(_ request: NewPINPrompt) async -> String? { nil }
    func chooseAccount(_ accounts: [SecurityKeyAccount]) async -> SecurityKeyAccount? { nil }
    func finished() async {}
}

/// A person who does not touch the key until the client cancels.
struct AbsentPerson: UserGesture {
    func confirm(_ prompt: GesturePrompt) async -> GestureOutcome {
        let (stream, end) = AsyncStream.makeStream(of: Void.self)
        await withTaskCancellationHandler {
            for await _ in stream {}
        } onCancel: {
            end.finish()
        }
        return .timedOut
    }
}
