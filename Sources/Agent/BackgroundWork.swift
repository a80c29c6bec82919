// SPDX-License-Identifier: Apache-2.0

/// Work without a caller that waits for it.
@AgentActor
final class BackgroundWork {
    /// How many run now.
    private(set) var count = 0

    func start(_ work: @escaping @Sendable () async -> Void) {
        count += 1
        Task {
            await work()
            count -= 1
        }
    }
}
