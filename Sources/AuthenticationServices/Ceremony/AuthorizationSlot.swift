// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// One authorization at a time in a process, as on Apple's systems: whoever comes second fails.
package final class AuthorizationSlot: Sendable {
    private let isTaken = Mutex(false)

    package init() {}

    /// Whether the slot was free; then it is the caller's until ``release()``.
    func take() -> Bool {
        isTaken.withLock { isTaken in
            guard !isTaken else { return false }
            isTaken = true
            return true
        }
    }

    func release() { isTaken.withLock { $0 = false } }
}
