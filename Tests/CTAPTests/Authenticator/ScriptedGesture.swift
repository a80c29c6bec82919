// SPDX-License-Identifier: Apache-2.0
import CTAP
import Synchronization

/// A person whose next answers a test decides, and who remembers what was asked.
final class ScriptedGesture: UserGesture {
    private struct State {
        var confirmations: [GestureOutcome] = []
        var verifications: [VerificationOutcome] = []
        var samples: [FingerprintSample] = []
        var prompts: [GesturePrompt] = []
        var waitsForCancel = false
    }

    private let state = Mutex(State())

    /// Answers in their order; when none is left, approval.
    func answer(_ outcomes: GestureOutcome...) {
        state.withLock { $0.confirmations += outcomes }
    }

    func verify(as outcomes: VerificationOutcome...) {
        state.withLock { $0.verifications += outcomes }
    }

    func sample(as samples: FingerprintSample...) { state.withLock { $0.samples += samples } }

    /// The next prompt is not answered until the client cancels.
    func waitForCancel() { state.withLock { $0.waitsForCancel = true } }

    /// Returns the prompts since the last call.
    func takePrompts() -> [GesturePrompt.Operation] {
        state.withLock { state in
            defer { state.prompts = [] }
            return state.prompts.map(\.operation)
        }
    }

    private func note(_ prompt: GesturePrompt) async {
        let waits = state.withLock { state in
            state.prompts.append(prompt)
            defer { state.waitsForCancel = false }
            return state.waitsForCancel
        }
        guard waits else { return }
        let (stream, end) = AsyncStream.makeStream(of: Void.self)
        await withTaskCancellationHandler {
            for await _ in stream {}
        } onCancel: {
            end.finish()
        }
    }

    func confirm(_ prompt: GesturePrompt) async -> GestureOutcome {
        await note(prompt)
        return state.withLock {
            $0.confirmations.isEmpty ? .approved : $0.confirmations.removeFirst()
        }
    }

    func verify(_ prompt: GesturePrompt) async -> VerificationOutcome {
        await note(prompt)
        return state.withLock {
            $0.verifications.isEmpty ? .verified : $0.verifications.removeFirst()
        }
    }

    func sample(_ prompt: GesturePrompt) async -> FingerprintSample {
        await note(prompt)
        return state.withLock { $0.samples.isEmpty ? .good : $0.samples.removeFirst() }
    }
}
