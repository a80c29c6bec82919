// SPDX-License-Identifier: Apache-2.0
import Primitives
import Testing

@Suite("Time")
struct TimestampTests {
    @Test("Arithmetic stops at the ends of time and does not trap")
    func saturation() {
        let last = Timestamp(milliseconds: .max)
        let first = Timestamp(milliseconds: .min)
        #expect(last + .seconds(1) == last)
        #expect(first - .seconds(1) == first)
        #expect((last - first).milliseconds == .max)
        #expect((first - last).milliseconds == .min)
        #expect(last - TimeSpan(milliseconds: .min) == last)
        #expect(Timestamp(seconds: .max) == last)
        #expect(Timestamp(seconds: .min) == first)
    }

    @Test("Spans of absurd length saturate")
    func spans() {
        for span in [
            TimeSpan.seconds(.max), .minutes(.max), .hours(.max), .days(.max), .days(.max / 1000),
        ] {
            #expect(span.milliseconds == .max)
        }
        #expect(TimeSpan.days(.min).milliseconds == .min)
        #expect(TimeSpan.days(2).milliseconds == 172_800_000)
    }

    @Test("Seconds round down, before 1970 as well")
    func seconds() {
        let pairs: [(Int64, Int64)] = [
            (0, 0), (999, 0), (1000, 1), (-1, -1), (-1000, -1), (-1001, -2),
            (.min, Int64.min / 1000 - 1),
        ]
        for (milliseconds, seconds) in pairs {
            #expect(Timestamp(milliseconds: milliseconds).seconds == seconds)
        }
    }
}
