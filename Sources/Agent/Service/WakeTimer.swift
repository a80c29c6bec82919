// SPDX-License-Identifier: Apache-2.0
import Dispatch
package import Primitives
import Synchronization

/// Calls a function once at a date. No code runs in between.
///
/// It uses two timers: one of the adjustable clock, which notices suspension and a clock that is
/// set ahead, and one of the boot-time clock, for a clock that is set back.
package final class WakeTimer: Sendable {
    private struct Timers {
        var wall: (any DispatchSourceTimer)?
        var running: (any DispatchSourceTimer)?
    }

    private let timers = Mutex(Timers())
    private let queue = DispatchQueue(label: "wake timer")
    private let clock: any WallClock
    private let wake: @Sendable () -> Void

    package init(clock: any WallClock, wake: @escaping @Sendable () -> Void) {
        self.clock = clock
        self.wake = wake
    }

    deinit { timers.withLock { Self.cancel(&$0) } }

    /// The next call; `nil` for none.
    package func set(_ time: Timestamp?) {
        timers.withLock { timers in
            Self.cancel(&timers)
            guard let time else { return }
            // Not sooner than in a second, so that a clock in trouble costs little.
            let span = max((time - clock.now).milliseconds, 1000)
            let wait = DispatchTimeInterval.milliseconds(Int(min(span, 366 * 86_400_000)))
            timers.wall = timer { $0.schedule(wallDeadline: .now() + wait, leeway: .seconds(1)) }
            timers.running = timer { $0.schedule(deadline: .now() + wait, leeway: .seconds(1)) }
        }
    }

    private func timer(_ schedule: (any DispatchSourceTimer) -> Void) -> any DispatchSourceTimer {
        let timer = DispatchSource.makeTimerSource(queue: queue)
        schedule(timer)
        timer.setEventHandler { [weak self] in self?.fire() }
        timer.resume()
        return timer
    }

    private func fire() {
        timers.withLock { Self.cancel(&$0) }
        wake()
    }

    private static func cancel(_ timers: inout Timers) {
        timers.wall?.cancel()
        timers.running?.cancel()
        timers = Timers()
    }
}
