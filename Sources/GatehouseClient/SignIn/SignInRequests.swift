// SPDX-License-Identifier: Apache-2.0

/// Runs the prompts for ``IdentityClient/requireSession(for:asking:)`` and resumes the callers.
actor SignInRequests {
    typealias Prompt = @Sendable () async throws -> Void

    private var gate = SignInGate()
    private var waiters: [SignInGate.Waiter: CheckedContinuation<Void, any Error>] = [:]
    private var prompts: [SignInGate.Prompt: Task<Void, Never>] = [:]

    /// The number of callers that wait.
    var waiterCount: Int { gate.waiterCount }

    /// Waits for the prompt of a profile, which is started unless it runs already.
    ///
    /// - Parameters:
    ///   - requested: The profile that the caller named; `nil` for any.
    ///   - resolved: The profile that the store has for it.
    ///   - prompt: Signs the person in.
    /// - Throws: The error of the prompt, or `CancellationError`.
    func wait(
        for requested: Profile.ID?, resolved: Profile.ID?, _ prompt: @escaping Prompt
    ) async throws {
        try Task.checkCancellation()
        let key = gate.key(for: requested, resolved: resolved)
        let (waiter, startsPrompt) = gate.enter(key)
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation {
                (continuation: CheckedContinuation<Void, any Error>) in
                waiters[waiter] = continuation
                if startsPrompt { start(prompt, numbered: waiter, for: key) }
            }
        } onCancel: {
            Task { await leave(waiter, from: key) }
        }
    }

    private func start(
        _ prompt: @escaping Prompt, numbered number: SignInGate.Prompt, for key: Profile.ID?
    ) {
        prompts[number] = Task {
            let outcome: Result<Void, any Error>
            do { outcome = .success(try await prompt()) } catch { outcome = .failure(error) }
            prompts[number] = nil
            for waiter in gate.finish(number, for: key) { resume(waiter, with: outcome) }
        }
    }

    private func leave(_ waiter: SignInGate.Waiter, from key: Profile.ID?) {
        let departure = gate.leave(waiter, from: key)
        if departure == .notWaiting { return }
        resume(waiter, with: .failure(CancellationError()))
        if case .promptIsUnused(let number) = departure { prompts[number]?.cancel() }
    }

    private func resume(_ waiter: SignInGate.Waiter, with outcome: Result<Void, any Error>) {
        waiters.removeValue(forKey: waiter)?.resume(with: outcome)
    }
}
