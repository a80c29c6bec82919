// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// A counter of key operations, for tests that fix the cost of a request: these operations dominate
/// it. Outside of tests nothing is counted.
package final class KeyOperationCounter: Sendable {
    package enum Operation: Sendable, CaseIterable {
        case signature, verification, agreement
    }

    /// The counter of the current task and its children.
    @TaskLocal package static var current: KeyOperationCounter?

    private let counts = Mutex<[Operation: Int]>([:])

    package init() {}

    package subscript(_ operation: Operation) -> Int {
        counts.withLock { $0[operation] ?? 0 }
    }

    func add(_ operation: Operation) {
        counts.withLock { $0[operation, default: 0] += 1 }
    }

    /// Returns the number of operations of `work`, and its result.
    package static func counting<Value>(
        _ work: () async throws -> Value
    ) async rethrows -> (KeyOperationCounter, Value) {
        let count = KeyOperationCounter()
        return (count, try await $current.withValue(count) { try await work() })
    }
}
