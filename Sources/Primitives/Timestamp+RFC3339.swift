// SPDX-License-Identifier: Apache-2.0

extension Timestamp {
    /// `2026-11-21T03:15:00.123Z`, RFC 3339.
    package var rfc3339: String {
        let time = CivilTime(self)
        let fraction = Int(milliseconds).flooredDivision(by: 1000).remainder
        return "\(time.date)T\(time.clock).\(fraction.padded(3))Z"
    }

    /// Reads `2026-11-21T03:15:00Z`, with or without a fraction, with `Z` or `+01:00`. `nil` for
    /// any other text and for a date that does not exist.
    package init?(rfc3339 text: String) {
        guard text.utf8.count <= 40 else { return nil }
        var reader = RFC3339Reader(text)
        guard let year = reader.number(4), reader.skip("-"), let month = reader.number(2),
            reader.skip("-"), let day = reader.number(2), reader.skip("T") || reader.skip("t"),
            let hour = reader.number(2), reader.skip(":"), let minute = reader.number(2),
            reader.skip(":"), let second = reader.number(2),
            let fraction = reader.fraction(), let offset = reader.offset(), reader.isAtEnd,
            let date = CivilDate(year: Int(year), month: Int(month), day: Int(day)),
            hour < 24, minute < 60, second < 61
        else { return nil }
        let minutes = (Int64(date.daysSince1970) * 24 + hour) * 60 + minute - offset
        self.init(milliseconds: (minutes * 60 + second) * 1000 + fraction)
    }
}

/// A reader of the characters of a date.
private struct RFC3339Reader {
    private var letters: Substring.UTF8View

    init(_ text: String) { letters = text[...].utf8 }

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
