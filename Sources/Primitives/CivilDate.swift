// SPDX-License-Identifier: Apache-2.0

/// A date of the proleptic Gregorian calendar. The only place that computes dates.
package struct CivilDate: Sendable, Hashable, Comparable, CustomStringConvertible {
    package let year: Int
    /// 1 to 12.
    package let month: Int
    /// 1 to 31.
    package let day: Int

    /// The days of 400 years. Years are counted from 1 March, so that a leap day ends its year.
    private static let daysOfEra = 146_097
    /// Days from 0000-03-01 to 1970-01-01.
    private static let epoch = 719_468
    /// More than ``Timestamp`` can express, and few enough that no computation overflows.
    private static let years = -1_000_000_000...1_000_000_000
    private static let days = -366_000_000_000...366_000_000_000

    /// Creates the date of a day; a day outside of a thousand million years becomes the nearest
    /// one inside.
    package init(daysSince1970 days: Int) {
        let shifted = min(max(days, Self.days.lowerBound), Self.days.upperBound) + Self.epoch
        let (era, dayOfEra) = shifted.flooredDivision(by: Self.daysOfEra)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// Returns `nil` for a date that does not exist, such as 31 February.
    package init?(year: Int, month: Int, day: Int) {
        guard Self.years ~= year, 1...12 ~= month, 1...31 ~= day else { return nil }
        let days = Self.days(year: year, month: month, day: day)
        self.init(daysSince1970: days)
        guard (self.year, self.month, self.day) == (year, month, day) else { return nil }
    }

    package var daysSince1970: Int { Self.days(year: year, month: month, day: day) }

    private static func days(year: Int, month: Int, day: Int) -> Int {
        let (era, yearOfEra) = (month <= 2 ? year - 1 : year).flooredDivision(by: 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * daysOfEra + dayOfEra - epoch
    }

    /// 0 is Sunday, 6 is Saturday.
    package var weekday: Int { (daysSince1970 + 4).flooredDivision(by: 7).remainder }

    /// `2026-11-21`, as ISO 8601 and RFC 3339 write it.
    package var description: String { "\(year.padded(4))-\(month.padded())-\(day.padded())" }

    package static func < (left: CivilDate, right: CivilDate) -> Bool {
        (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }
}

/// A date and a time of day in UTC, in whole seconds.
package struct CivilTime: Sendable, Hashable, CustomStringConvertible {
    package let date: CivilDate
    /// Seconds since midnight, 0 to 86399.
    package let secondOfDay: Int

    package init(_ time: Timestamp) {
        let (days, second) = Int(time.seconds).flooredDivision(by: 86_400)
        date = CivilDate(daysSince1970: days)
        secondOfDay = second
    }

    /// `2026-11-21 03:15:00`, for tables.
    package var description: String { "\(date) \(clock)" }

    /// `03:15:00`.
    package var clock: String {
        [secondOfDay / 3600, secondOfDay / 60 % 60, secondOfDay % 60]
            .map { $0.padded() }.joined(separator: ":")
    }

    /// `Sun, 06 Nov 1994 08:49:37`: what RFC 5322 section 3.3 and RFC 9110 section 5.6.7 share.
    /// The zone follows.
    package var internetText: String {
        let weekday = Self.weekdays[date.weekday]
        let month = Self.months[date.month - 1]
        return "\(weekday), \(date.day.padded()) \(month) \(date.year) \(clock)"
    }

    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}

extension Int {
    /// The number with leading zeros.
    func padded(_ width: Int = 2) -> String {
        let digits = String(self)
        return String(repeating: "0", count: Swift.max(0, width - digits.utf8.count)) + digits
    }

    /// The quotient rounded down, and a remainder that is never negative.
    func flooredDivision(by divisor: Int) -> (quotient: Int, remainder: Int) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
