// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Counts touches.
final class TouchCounter: Sendable {
    private let value = Mutex(0)

    var total: Int { value.withLock { $0 } }
    func count() { value.withLock { $0 += 1 } }
}
