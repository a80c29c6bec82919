// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// Resting: everything is on the disk or handed over, so that the process may become another that only
/// waits (``AgentWaiter``).
extension Agent {
    /// Prepares a rest. Afterwards nobody asks this agent anything.
    ///
    /// - Parameter least: How long it would have to be good for something.
    /// - Returns: `nil` while something is under way, or is due soon.
    package func rest(atLeast least: TimeSpan) async -> IdleProcess? {
        guard isQuiet(least) else { return nil }
        do { try await keep() } catch { return nil }
        // Saving took a moment, in which something may have begun.
        guard isQuiet(least) else { return nil }
        var memory = IdleProcessState(
            failures: failures, lent: lent, savedAt: seen.mark, rotationFailedAt: rotationFailedAt)
        memory.unlockFailures = unlockFailures
        return IdleProcess(memory: memory, wake: nextWake)
    }

    private func isQuiet(_ least: TimeSpan) -> Bool {
        guard calls.isEmpty, conversations.isEmpty, renewing.isEmpty, backgroundCount == 0 else {
            return false
        }
        return nextWake.map { $0 >= now + least } ?? true
    }

    /// Something that nobody waits for. There is no rest before it is done.
    func inBackground(_ work: @escaping @Sendable () async -> Void) {
        backgroundCount += 1
        Task {
            await work()
            backgroundCount -= 1
        }
    }
}
