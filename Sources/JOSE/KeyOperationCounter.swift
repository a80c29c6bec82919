// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// How many operations with keys a piece of work made, for tests that pin what a request costs:
/// they are what it costs most of. Nobody counts otherwise.
package final class KeyOperationCounter: Sendable {
    package enum Operation: Sendable, CaseIterable {
        case signature, verification, agreement
    }

    /// Of the work that is being counted in this task and its children.
    @TaskLocal package static var current: KeyOperationCounter?

    private let counts = Mutex<[Operation: Int]>([:])

    package init() {}

    package subscript(_ operation: Operation) -> Int {
        counts.withLock { $0[operation] ?? 0 }
    }

    func add(_ operation: Operation) {
        counts.withLock { $0[operation, default: 0] += 1 }
    }

    /// What `work` costs.
    package static func counting<Value>(
        _ work: () async throws -> Value
    ) async rethrows -> (KeyOperationCounter, Value) {
        let count = KeyOperationCounter()
        return (count, try await $current.withValue(count) { try await work() })
    }
}
