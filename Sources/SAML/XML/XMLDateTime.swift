// SPDX-License-Identifier: Apache-2.0
import Primitives

/// `xs:dateTime` as SAML has it (SAML 2.0 Core section 1.3.3): in UTC, written with a `Z`.
enum XMLDateTime {
    /// `2026-11-21T19:05:00Z`, with a fraction or without; `nil` for anything else.
    static func read(_ text: String) -> Timestamp? {
        let letters = Array(text.utf8)
        guard 20...40 ~= letters.count, letters.last == UInt8(ascii: "Z"),
            zip(letters, "0000-00-00T00:00:00".utf8).allSatisfy(fits),
            letters[19...].dropLast().enumerated().allSatisfy({
                $0.offset == 0 ? $0.element == UInt8(ascii: ".") : isDigit($0.element)
            }), letters.count != 21
        else { return nil }
        func number(_ range: Range<Int>) -> Int64 {
            letters[range].reduce(Int64(0)) { $0 * 10 + Int64($1 &- 0x30) }
        }
        let (year, month, day) = (number(0..<4), number(5..<7), number(8..<10))
        let (hour, minute, second) = (number(11..<13), number(14..<16), number(17..<19))
        guard 1...12 ~= month, 1...31 ~= day, hour <= 23, minute <= 59, second <= 60 else {
            return nil
        }
        let time = hour * 3600 + minute * 60 + second
        return Timestamp(seconds: days(year, month, day) * 86_400 + time)
    }

    /// `now` in whole seconds.
    static func text(_ time: Timestamp) -> String {
        let seconds = max(time.seconds, 0)
        let (day, rest) = seconds.quotientAndRemainder(dividingBy: 86_400)
        let (year, month, date) = civil(day)
        let parts = [month, date, rest / 3600, rest / 60 % 60, rest % 60].map {
            $0 < 10 ? "0\($0)" : "\($0)"
        }
        return "\(year)-\(parts[0])-\(parts[1])T\(parts[2]):\(parts[3]):\(parts[4])Z"
    }

    private static func fits(_ letter: UInt8, _ pattern: UInt8) -> Bool {
        pattern == UInt8(ascii: "0") ? isDigit(letter) : letter == pattern
    }

    private static func isDigit(_ letter: UInt8) -> Bool {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= letter
    }

    /// Days since 1970-01-01 in the Gregorian calendar, counted in years that begin in March.
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let year = month <= 2 ? year - 1 : year
        let era = (year >= 0 ? year : year - 399) / 400
        let ofEra = year - era * 400
        let ofYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - 719_468
    }

    private static func civil(_ day: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = day + 719_468
        let era = shifted / 146_097
        let ofEra = shifted - era * 146_097
        let year = (ofEra - ofEra / 1460 + ofEra / 36_524 - ofEra / 146_096) / 365
        let ofYear = ofEra - (365 * year + year / 4 - year / 100)
        let month = (5 * ofYear + 2) / 153
        let date = ofYear - (153 * month + 2) / 5 + 1
        let inYear = month < 10 ? month + 3 : month - 9
        return (year + era * 400 + (inYear <= 2 ? 1 : 0), inYear, date)
    }
}
