// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// A counter of commits and of the writes that shared them, for metrics.
package final class CommitCounter: Sendable {
    /// The bucket limits of the number of writes that share one commit.
    package static let bounds = [1, 2, 4, 8, 16, 32, 64, 128, 256]

    private let commitCount = Atomic<UInt64>(0)
    private let writeCount = Atomic<UInt64>(0)
    private let counts = Mutex([UInt64](repeating: 0, count: bounds.count))

    package init() {}

    package var commits: UInt64 { commitCount.load(ordering: .relaxed) }
    package var writes: UInt64 { writeCount.load(ordering: .relaxed) }

    /// The commits by number of writes, in the order of ``bounds``, each counted once.
    package var buckets: [UInt64] { counts.withLock { $0 } }

    /// Adds one commit with this number of writes.
    package func add(writes: Int) {
        commitCount.wrappingAdd(1, ordering: .relaxed)
        writeCount.wrappingAdd(UInt64(clamping: writes), ordering: .relaxed)
        guard let bucket = Self.bounds.firstIndex(where: { writes <= $0 }) else { return }
        counts.withLock { $0[bucket] += 1 }
    }
}
