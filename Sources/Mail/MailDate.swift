// SPDX-License-Identifier: Apache-2.0
import Primitives

/// A date as RFC 5322 section 3.3 writes it, in UTC: `Sat, 21 Nov 2026 03:03:00 +0000`.
enum MailDate {
    private static let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Moments before 1970 are written as 1970, moments after 9999 as the end of 9999.
    static func format(_ moment: Timestamp) -> String {
        let seconds = Int(clamping: min(max(moment.seconds, 0), 253_402_300_799))
        let (days, rest) = seconds.quotientAndRemainder(dividingBy: 86_400)
        let (year, month, day) = civil(days: days)
        let time = [rest / 3600, rest / 60 % 60, rest % 60].map(twoDigits).joined(separator: ":")
        return "\(weekdays[days % 7]), \(twoDigits(day)) \(months[month - 1]) \(year) \(time) +0000"
    }

    private static func twoDigits(_ number: Int) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }

    /// The proleptic Gregorian date, `days` after 1970-01-01, by counting from 1 March so that the
    /// leap day ends the year.
    private static func civil(days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, day)
    }
}
