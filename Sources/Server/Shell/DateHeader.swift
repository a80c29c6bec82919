// SPDX-License-Identifier: Apache-2.0
package import Primitives
import Synchronization

/// The `Date` field (RFC 9110 section 5.6.7), written once a second.
package final class DateHeader: Sendable {
    private struct State {
        var second: Int64 = .min
        var text = ""
    }

    private let state = Mutex(State())

    package init() {}

    package func text(at now: Timestamp) -> String {
        state.withLock { state in
            if state.second != now.seconds {
                state.second = now.seconds
                state.text = Self.format(now.seconds)
            }
            return state.text
        }
    }

    /// `Sun, 06 Nov 1994 08:49:37 GMT`.
    package static func format(_ seconds: Int64) -> String {
        let days = Int((Double(seconds) / 86400).rounded(.down))
        let rest = Int(seconds) - days * 86400
        let (year, month, day) = civil(days: days)
        let weekday = weekdays[((days + 4) % 7 + 7) % 7]
        return "\(weekday), \(two(day)) \(months[month - 1]) \(year) "
            + "\(two(rest / 3600)):\(two(rest / 60 % 60)):\(two(rest % 60)) GMT"
    }

    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static func two(_ value: Int) -> String { value < 10 ? "0\(value)" : String(value) }

    /// Days since 1970-01-01 to the Gregorian date, in eras of 400 years that begin in March.
    private static func civil(days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }
}
