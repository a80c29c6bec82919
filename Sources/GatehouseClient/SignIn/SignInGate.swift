// SPDX-License-Identifier: Apache-2.0

/// The callers that wait for sign-ins, grouped so that a person is prompted once for all of them.
///
/// A value without I/O: ``SignInRequests`` runs the prompts and resumes the callers.
package struct SignInGate: Sendable {
    /// The number of a caller that waits. Numbers are not reused.
    package typealias Waiter = Int
    /// The number of a prompt: that of the caller that it was started for.
    package typealias Prompt = Int

    private struct Pending: Sendable {
        let prompt: Prompt
        var waiters: Set<Waiter>
    }

    /// The consequence of a caller's departure.
    package enum Departure: Equatable, Sendable {
        /// The caller did not wait any more.
        case notWaiting
        /// Other callers still wait for the prompt.
        case promptContinues
        /// The last caller has left: cancel the prompt.
        case promptIsUnused(Prompt)
    }

    private var pending: [Profile.ID?: Pending] = [:]
    private var lastWaiter: Waiter = 0

    package init() {}

    /// The number of callers that wait.
    package var waiterCount: Int { pending.values.reduce(0) { $0 + $1.waiters.count } }

    /// Returns the key under which a caller waits, so that callers that mean the same profile share
    /// one prompt.
    ///
    /// - Parameters:
    ///   - requested: The profile that the caller named; `nil` for any.
    ///   - resolved: The profile that the store has for it; `nil` if there is none.
    package func key(for requested: Profile.ID?, resolved: Profile.ID?) -> Profile.ID? {
        let isPromptForAnyPending = requested == nil && pending[nil] != nil
        return isPromptForAnyPending ? nil : resolved ?? requested
    }

    /// Adds a caller.
    ///
    /// - Returns: Its number, and whether the prompt must be started for it.
    package mutating func enter(_ key: Profile.ID?) -> (waiter: Waiter, startsPrompt: Bool) {
        lastWaiter += 1
        guard pending[key] == nil else {
            pending[key]?.waiters.insert(lastWaiter)
            return (lastWaiter, false)
        }
        pending[key] = Pending(prompt: lastWaiter, waiters: [lastWaiter])
        return (lastWaiter, true)
    }

    /// Records the end of a prompt.
    ///
    /// - Returns: The callers to resume. Empty for a prompt that all its callers left before.
    package mutating func finish(_ prompt: Prompt, for key: Profile.ID?) -> Set<Waiter> {
        // A new prompt may have replaced one that all callers left.
        guard let current = pending[key], current.prompt == prompt else { return [] }
        pending[key] = nil
        return current.waiters
    }

    /// Removes a caller whose task was cancelled.
    package mutating func leave(_ waiter: Waiter, from key: Profile.ID?) -> Departure {
        guard pending[key]?.waiters.remove(waiter) != nil, let current = pending[key] else {
            return .notWaiting
        }
        guard current.waiters.isEmpty else { return .promptContinues }
        // The next caller starts a new prompt and does not receive this cancellation.
        pending[key] = nil
        return .promptIsUnused(current.prompt)
    }
}
