// SPDX-License-Identifier: Apache-2.0
import Platform
package import Primitives
import Synchronization

/// Calls a function once at a date. No code runs in between.
///
/// It uses two timers: one of `CLOCK_REALTIME`, for suspension and a clock that is set forward, and one
/// of `CLOCK_BOOTTIME`, for a clock that is set back. One thread waits for both.
package final class WakeTimer: Sendable {
    private let timers: Timers?
    private let clock: any WallClock

    /// On a system without such timers `wake` is never called.
    package init(clock: any WallClock, wake: @escaping @Sendable () -> Void) {
        self.clock = clock
        guard let timers = try? Timers(),
            (try? BackgroundThread.start(
                niceness: 0, { while let isDue = timers.wait() { if isDue { wake() } } })) != nil
        else {
            self.timers = nil
            return
        }
        self.timers = timers
    }

    deinit { timers?.stop() }

    /// The next call; `nil` for none.
    package func set(_ time: Timestamp?) {
        // Not sooner than in a second, so that a clock in trouble costs little.
        timers?.set(
            time.map { min(max(($0 - clock.now).milliseconds, 1000), 366 * 86_400_000) })
    }

    /// Whether one of the timers is set.
    package var isSet: Bool { timers?.areSet ?? false }

    private final class Timers: Sendable {
        private let wall: EventTimer
        private let passing: EventTimer
        private let alarm: WakePipe
        /// Both timers are set, or read, together.
        private let lock = Mutex(())

        init() throws(PlatformError) {
            alarm = try WakePipe()
            wall = try .wallClock()
            do throws(PlatformError) { passing = try .bootTime() } catch {
                wall.descriptor.close()
                throw error
            }
        }

        deinit {
            wall.descriptor.close()
            passing.descriptor.close()
        }

        func stop() { alarm.wake() }

        var areSet: Bool { lock.withLock { _ in wall.isSet || passing.isSet } }

        /// - Parameter span: Milliseconds; `nil` for never.
        func set(_ span: Int64?) {
            lock.withLock { _ in
                wall.set(milliseconds: span.map { SystemWallClock().now.milliseconds + $0 })
                passing.set(milliseconds: span)
            }
        }

        /// Waits for one of them; both are off afterwards.
        ///
        /// - Returns: `false` if another time was set during the wait, `nil` after ``stop()``.
        func wait() -> Bool? {
            var files = PollSet(
                [wall.descriptor, passing.descriptor, alarm.reader], for: .readable)
            guard (try? files.wait()) != nil, files[2].isEmpty else { return nil }
            return lock.withLock { _ in
                let isDue = [wall.consume(), passing.consume()].contains(true)
                guard isDue else { return false }
                wall.set(milliseconds: nil)
                passing.set(milliseconds: nil)
                return true
            }
        }
    }
}
