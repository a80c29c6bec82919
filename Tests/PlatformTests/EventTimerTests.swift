// SPDX-License-Identifier: Apache-2.0
import Foundation
import Platform
import Testing

#if os(Linux)
    @Suite struct EventTimerTests {
        private func isDue(_ timer: EventTimer, within milliseconds: Int64) -> Bool {
            (try? timer.descriptor.wait(for: .readable, milliseconds: milliseconds)) == .readable
        }

        private var now: Int64 { Int64(Date().timeIntervalSince1970 * 1000) }

        @Test("A time of the wall clock that has passed is due at once, and once")
        func wallClock() throws {
            let timer = try EventTimer.wallClock()
            defer { timer.descriptor.close() }
            #expect(!isDue(timer, within: 0) && !timer.consume())
            timer.set(milliseconds: now - 3_600_000)
            #expect(isDue(timer, within: 5000))
            #expect(timer.consume() && !timer.consume())
            timer.set(milliseconds: now + 3_600_000)
            #expect(!isDue(timer, within: 0))
        }

        @Test("Time that has passed is due, and another time takes its place")
        func bootTime() throws {
            let timer = try EventTimer.bootTime()
            defer { timer.descriptor.close() }
            timer.set(milliseconds: 1)
            #expect(isDue(timer, within: 5000))
            timer.set(milliseconds: 3_600_000)
            #expect(!isDue(timer, within: 0) && !timer.consume())
            timer.set(milliseconds: 1)
            #expect(isDue(timer, within: 5000) && timer.consume())
            timer.set(milliseconds: nil)
            #expect(!isDue(timer, within: 0))
        }
    }
#endif
