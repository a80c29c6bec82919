// SPDX-License-Identifier: Apache-2.0
import Primitives

/// A day of the Gregorian calendar, UTC.
struct CalendarDay {
    let year: Int
    let month: Int
    let day: Int

    /// Days since 1970-01-01 to a date, in eras of 400 years that begin in March.
    init(_ time: Timestamp) {
        let days = Int((Double(time.seconds) / 86_400).rounded(.down))
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// `2026-11-21 03:10:07`, for tables.
    static func stamp(_ time: Timestamp) -> String {
        let date = CalendarDay(time)
        let second = Int(((time.seconds % 86_400) + 86_400) % 86_400)
        func two(_ value: Int) -> String { value < 10 ? "0\(value)" : String(value) }
        return "\(date.year)-\(two(date.month))-\(two(date.day)) "
            + "\(two(second / 3600)):\(two(second / 60 % 60)):\(two(second % 60))"
    }
}
