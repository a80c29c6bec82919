// SPDX-License-Identifier: Apache-2.0
import CTAP
import Synchronization

/// A clock that only moves when something waits.
final class SteppingClock: MonotonicClock {
    private let time = Mutex<Int64>(1_000_000)

    var milliseconds: Int64 { time.withLock { $0 } }
    func rest(milliseconds: Int64) { advance(by: milliseconds) }
    func advance(by step: Int64) { time.withLock { $0 += step } }
    func advance(to moment: Int64) { time.withLock { $0 = max($0, moment) } }
}
