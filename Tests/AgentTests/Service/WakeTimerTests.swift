// SPDX-License-Identifier: Apache-2.0
import Agent
import Foundation
import Platform
import Primitives
import Support
import Testing

#if os(Linux)
    /// Tests the timers that wake the agent if clocks are changed and devices
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

        private func timers(_ seconds: ClosedRange<Int64>) throws -> [KernelTimer] {
            try KernelTimer.all().filter { seconds.contains($0.left) }
        }

        @Test("It waits for a time of the wall clock, and for time that passes, suspended too")
        func clocks() throws {
            let clock = ManualClock()
            let timer = WakeTimer(clock: clock) {}
            // Nothing else in this process waits for so long.
            let seconds = Int64(77_600)...77_777
            timer.set(clock.now + .seconds(77_777))
            let found = try timers(seconds)
            #expect(found.count == 2)
            #expect(found.contains { $0.clock == CLOCK_REALTIME && $0.isAbsolute })
            #expect(found.contains { $0.clock == CLOCK_BOOTTIME && !$0.isAbsolute })
            #expect(timer.isSet)
            timer.set(nil)
            #expect(try timers(seconds).isEmpty)
        }

        @Test("It calls once when a time is due, and again for the next")
        func calls() async throws {
            let clock = ManualClock()
            let (calls, call) = AsyncStream<Void>.makeStream()
            let timer = WakeTimer(clock: clock) { call.yield() }
            var iterator = calls.makeAsyncIterator()
            for _ in 0..<2 {
                timer.set(clock.now - .seconds(3600))
                #expect(await iterator.next() != nil)
                #expect(!timer.isSet)
            }
        }
    }
#endif
