// SPDX-License-Identifier: Apache-2.0
import Agent
import AgentWaiting
import Foundation
import Platform
import Primitives
import Support
import Testing

#if os(Linux)
    /// Tests the timers that wake the agent, active and idle, if clocks are changed and devices
    /// sleep. The tests cannot set the clock. They read from the kernel which clock each timer
    /// uses, and whether its time is absolute. An absolute timer expires as soon as its clock is
    /// set past the time.
    @Suite struct WakeTimerTests {
        /// A timer of this process, as the kernel sees it (proc_pid_fdinfo(5)).
        private struct KernelTimer: Sendable, Equatable {
            let clock: Int32
            let isAbsolute: Bool
            /// Seconds.
            let left: Int64

            init?(_ file: String) {
                guard
                    let text = try? String(
                        contentsOfFile: "/proc/self/fdinfo/" + file, encoding: .utf8),
                    let clock = Self.value("clockid", text).flatMap({ Int32($0) }),
                    let flags = Self.value("settime flags", text).flatMap({ Int32($0, radix: 8) }),
                    let left = Self.value("it_value", text)?.dropFirst().split(separator: ",").first
                        .flatMap({ Int64($0) })
                else { return nil }
                self.clock = clock
                // `TFD_TIMER_ABSTIME`
                isAbsolute = flags & 1 != 0
                self.left = left
            }

            private static func value(_ name: String, _ text: String) -> Substring? {
                text.split(separator: "\n").first { $0.hasPrefix(name + ":") }?
                    .dropFirst(name.count + 1).drop { $0 == " " || $0 == "\t" }
            }

            static func all() throws -> [Self] {
                try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fdinfo")
                    .compactMap { Self($0) }
            }
        }

        private func isThere(_ file: Descriptor, within milliseconds: Int64) -> Bool {
            (try? file.wait(for: .readable, milliseconds: milliseconds)) == .readable
        }

        @Test("Awake, it waits for a time of the wall clock, which one that is set ahead reaches")
        func awake() async throws {
            let clock = ManualClock()
            let timer = WakeTimer(clock: clock) {}
            // Nothing else in this process waits for so long.
            timer.set(clock.now + .seconds(77_777))
            try await eventually("the kernel has its time") {
                try KernelTimer.all().contains {
                    $0.clock == CLOCK_REALTIME && $0.isAbsolute && 77_600...77_777 ~= $0.left
                } ? true : nil
            }
            timer.set(nil)
        }

        @Test("At rest it waits for a time of the wall clock, and for time that passes, asleep too")
        func resting() throws {
            let now = SystemWallClock().now.milliseconds
            let files = try AgentWaiter.timers(at: now + 3_600_000, in: 1_800_000)
            defer { for file in files { file.close() } }
            #expect(files.count == 2)
            let (wall, passing) = (
                KernelTimer("\(files[0].rawValue)"), KernelTimer("\(files[1].rawValue)")
            )
            #expect(wall?.clock == CLOCK_REALTIME && wall?.isAbsolute == true)
            #expect(wall.map { 3500...3600 ~= $0.left } == true)
            #expect(passing?.clock == CLOCK_BOOTTIME && passing?.isAbsolute == false)
            #expect(passing.map { 1700...1800 ~= $0.left } == true)
            #expect(!isThere(files[0], within: 0) && !isThere(files[1], within: 0))
        }

        @Test("A clock past its time ends the rest at once, and so does time that has passed")
        func either() throws {
            let now = SystemWallClock().now.milliseconds
            let ahead = try AgentWaiter.timers(at: now - 3_600_000, in: 3_600_000)
            defer { for file in ahead { file.close() } }
            #expect(isThere(ahead[0], within: 5000) && !isThere(ahead[1], within: 0))
            let back = try AgentWaiter.timers(at: now + 3_600_000, in: 1)
            defer { for file in back { file.close() } }
            #expect(isThere(back[1], within: 5000) && !isThere(back[0], within: 0))
        }
    }
#endif
