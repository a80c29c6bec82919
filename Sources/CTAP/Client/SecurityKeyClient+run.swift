// SPDX-License-Identifier: Apache-2.0

extension SecurityKeyClient {
    /// The default time limit of a ceremony, five minutes (WebAuthn section 15.1), and the bounds
    /// of other limits.
    static let defaultTimeout: Duration = .seconds(300)
    static let timeouts: ClosedRange<Duration> = .seconds(15)...(.seconds(600))

    /// Selects a key, runs an operation with it, and removes the prompts, all within a time limit.
    package func withKey<Value: Sendable>(
        _ operation: SecurityKeyOperation, timeout: Duration? = nil,
        _ body: @escaping @Sendable (SecurityKey) async -> Result<Value, SecurityKeyError>
    ) async throws(SecurityKeyError) -> Value {
        let limit = min(
            max(timeout ?? Self.defaultTimeout, Self.timeouts.lowerBound),
            Self.timeouts.upperBound)
        let selection = KeySelection(source: source, interaction: interaction, delay: delay)
        let result = await withTaskExecutorPreference(thread?.tasks) {
            await within(limit) {
                do throws(SecurityKeyError) {
                    let key = try await selection.choose(operation)
                    let result = await body(key)
                    await key.closed()
                    return result
                } catch { return .failure(error) }
            }
        }
        await interaction.finished()
        return try result.get()
    }

    /// Runs `body`, and cancels it after `limit`.
    private func within<Value: Sendable>(
        _ limit: Duration,
        _ body: @escaping @Sendable () async -> Result<Value, SecurityKeyError>
    ) async -> Result<Value, SecurityKeyError> {
        await withTaskGroup(of: Result<Value, SecurityKeyError>?.self) { group in
            group.addTask { await body() }
            group.addTask { [delay] in
                await delay.wait(limit)
                return nil
            }
            var outcome = await group.next().flatMap { $0 }
            group.cancelAll()
            if let outcome { return outcome }
            let wasCancelled = Task.isCancelled
            // What was finished in the same moment counts.
            for await late in group { outcome = late ?? outcome }
            if case .success = outcome { return outcome ?? .failure(.cancelled) }
            return .failure(wasCancelled ? .cancelled : .touchTimedOut)
        }
    }
}
