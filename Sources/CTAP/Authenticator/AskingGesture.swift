// SPDX-License-Identifier: Apache-2.0

/// A gesture that prompts through a closure: a terminal, a window, a test.
package struct AskingGesture: UserGesture {
    private let ask: @Sendable (GesturePrompt) async -> GestureOutcome

    package init(_ ask: @escaping @Sendable (GesturePrompt) async -> GestureOutcome) {
        self.ask = ask
    }

    package func confirm(_ prompt: GesturePrompt) async -> GestureOutcome { await ask(prompt) }

    package func verify(_ prompt: GesturePrompt) async -> VerificationOutcome {
        switch await ask(prompt) {
        case .approved: .verified
        case .denied: .denied
        case .timedOut: .timedOut
        }
    }

    package func sample(_ prompt: GesturePrompt) async -> FingerprintSample {
        await ask(prompt) == .approved ? .good : .noUserActivity
    }
}
