// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// A slot for one authorization at a time in a process, as on Apple's systems: a second one fails.
package final class AuthorizationSlot: Sendable {
    private let isTaken = Mutex(false)

    package init() {}

    /// Whether the slot was free; then it is the caller's until ``release()``.
    func reserve() -> Bool {
        isTaken.withLock { isTaken in
            guard !isTaken else { return false }
            isTaken = true
            return true
        }
    }

    func release() { isTaken.withLock { $0 = false } }
}
