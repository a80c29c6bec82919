// SPDX-License-Identifier: Apache-2.0
import AllocationCounter

/// How often something asks for memory on the thread that it runs on.
///
/// The numbers are those of a debug build, which asks more often than what is shipped. They are the
/// same from run to run, so a test can pin them; they may fall, and must not rise.
package enum Allocations {
    /// Whether they are counted: with glibc, and without a sanitizer.
    package static var areCounted: Bool { allocations_are_counted() }

    /// The fewest of several rounds, after one that fills what is made once.
    package static func fewest(_ body: () throws -> Void) rethrows -> Int {
        try body()
        var counts: [Int] = []
        for _ in 0..<5 {
            let before = allocations_of_this_thread()
            try body()
            counts.append(allocations_of_this_thread() - before)
        }
        return counts.min() ?? 0
    }
}
