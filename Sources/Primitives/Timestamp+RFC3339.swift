// SPDX-License-Identifier: Apache-2.0

extension Timestamp {
    /// `2026-11-21T03:15:00.123Z`, RFC 3339.
    package var rfc3339: String {
        let (days, inDay) = Self.floored(milliseconds, by: 86_400_000)
        let (year, month, day) = Self.date(days: days)
        let (seconds, fraction) = inDay.quotientAndRemainder(dividingBy: 1000)
        let (hours, rest) = seconds.quotientAndRemainder(dividingBy: 3600)
        let (minutes, second) = rest.quotientAndRemainder(dividingBy: 60)
        let date = "\(Self.padded(year, 4))-\(Self.padded(month, 2))-\(Self.padded(day, 2))"
        let time = "\(Self.padded(hours, 2)):\(Self.padded(minutes, 2)):\(Self.padded(second, 2))"
        return "\(date)T\(time).\(Self.padded(fraction, 3))Z"
    }

    private static func floored(_ value: Int64, by divisor: Int64) -> (Int64, Int64) {
        let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }

    /// The civil date of a day since 1970-01-01 in the Gregorian calendar: eras of 400 years that
    /// begin in March.
    private static func date(days: Int64) -> (Int64, Int64, Int64) {
        let (era, dayOfEra) = floored(days + 719_468, by: 146_097)
        let yearOfEra =
            (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }

    private static func padded(_ value: Int64, _ width: Int) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    /// Reads `2026-11-21T03:15:00Z`, with or without a fraction, with `Z` or `+01:00`; `nil` for
    /// anything else.
    package init?(rfc3339 text: String) {
        var reader = RFC3339Reader(text)
        guard let year = reader.number(4), reader.skip("-"), let month = reader.number(2),
            reader.skip("-"), let day = reader.number(2), reader.skip("T") || reader.skip("t"),
            let hour = reader.number(2), reader.skip(":"), let minute = reader.number(2),
            reader.skip(":"), let second = reader.number(2),
            let fraction = reader.fraction(), let offset = reader.offset(), reader.isAtEnd,
            (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second < 61
        else { return nil }
        let days = Self.days(year: year, month: month, day: day)
        guard Self.date(days: days) == (year, month, day) else { return nil }
        let minutes = (days * 24 + hour) * 60 + minute - offset
        self.init(milliseconds: (minutes * 60 + second) * 1000 + fraction)
    }

    /// The inverse of ``date(days:)``.
    private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
        let marchYear = month <= 2 ? year - 1 : year
        let (era, yearOfEra) = floored(marchYear, by: 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }
}

/// A reader of the characters of a date.
private struct RFC3339Reader {
    private var letters: Substring.UTF8View

    init(_ text: String) { letters = text.prefix(40).utf8 }

    var isAtEnd: Bool { letters.isEmpty }

    mutating func skip(_ letter: Unicode.Scalar) -> Bool {
        guard letters.first == UInt8(ascii: letter) else { return false }
        letters.removeFirst()
        return true
    }

    /// Exactly `count` digits; at most nine, so nothing overflows.
    mutating func number(_ count: Int) -> Int64? {
        guard letters.count >= count else { return nil }
        var value: Int64 = 0
        for _ in 0..<count {
            guard let digit = digit() else { return nil }
            value = value * 10 + digit
        }
        return value
    }

    private mutating func digit() -> Int64? {
        guard let letter = letters.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(letter)
        else { return nil }
        letters.removeFirst()
        return Int64(letter - UInt8(ascii: "0"))
    }

    /// Reads milliseconds; 0 if there is no fraction.
    mutating func fraction() -> Int64? {
        guard skip(".") else { return 0 }
        var milliseconds: Int64 = 0
        var weight: Int64 = 100
        guard let first = digit() else { return nil }
        milliseconds = first * weight
        while let digit = digit() {
            weight /= 10
            milliseconds += digit * weight
        }
        return milliseconds
    }

    /// Minutes east of UTC.
    mutating func offset() -> Int64? {
        if skip("Z") || skip("z") { return 0 }
        let isEast = skip("+")
        guard isEast || skip("-"), let hours = number(2), skip(":"), let minutes = number(2),
            hours < 24, minutes < 60
        else { return nil }
        return (isEast ? 1 : -1) * (hours * 60 + minutes)
    }
}
