// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// How many commits a store made, and how many writes shared them: for metrics.
package final class CommitCount: Sendable {
    private let commitCount = Atomic<UInt64>(0)
    private let writeCount = Atomic<UInt64>(0)

    package init() {}

    package var commits: UInt64 { commitCount.load(ordering: .relaxed) }
    package var writes: UInt64 { writeCount.load(ordering: .relaxed) }

    /// One commit with so many writes in it.
    package func add(writes: Int) {
        commitCount.wrappingAdd(1, ordering: .relaxed)
        writeCount.wrappingAdd(UInt64(clamping: writes), ordering: .relaxed)
    }
}
