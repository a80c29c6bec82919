// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// A number that only grows, counted without a lock.
package final class MetricCounter: Sendable {
    private let count = Atomic<UInt64>(0)

    package init() {}

    package var value: UInt64 { count.load(ordering: .relaxed) }

    package func add(_ amount: UInt64 = 1) { count.wrappingAdd(amount, ordering: .relaxed) }
}
