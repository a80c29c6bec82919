// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// A cancellation of an exchange that runs on another thread.
package final class ExchangeCancellation: Sendable {
    private let state = Mutex(false)
    private let wake: @Sendable () -> Void

    /// - Parameter wake: Interrupts the thread that waits.
    package init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

    package var isRequested: Bool { state.withLock { $0 } }

    package func request() {
        state.withLock { $0 = true }
        wake()
    }
}
