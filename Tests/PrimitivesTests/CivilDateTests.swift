// SPDX-License-Identifier: Apache-2.0
import Support
import Testing

@testable import Primitives

@Suite("Civil dates")
struct CivilDateTests {
    private static let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

    private static func length(ofMonth month: Int, in year: Int) -> Int {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return month == 2 && isLeap ? 29 : lengths[month - 1]
    }

    @Test("All dates of 400 years follow one another and are read back")
    func all() throws {
        var days = 0
        for year in 1970..<2370 {
            for month in 1...12 {
                for day in 1...Self.length(ofMonth: month, in: year) {
                    let date = CivilDate(daysSince1970: days)
                    #expect((date.year, date.month, date.day) == (year, month, day))
                    #expect(CivilDate(year: year, month: month, day: day) == date)
                    #expect(date.daysSince1970 == days)
                    #expect(date.weekday == (days + 4) % 7)
                    days += 1
                }
            }
        }
        #expect(days == 146_097)
    }

    @Test("Days before 1970 and far from it are read back", arguments: 0..<64)
    func farAway(seed: Int) throws {
        let random = SeededRandom(seed: UInt64(seed))
        for _ in 0..<100 {
            let days = Int(random.next() % 600_000_000_000) - 300_000_000_000
            let date = CivilDate(daysSince1970: days)
            #expect(date.daysSince1970 == days)
            #expect(date.weekday == ((days % 7 + 7) % 7 + 4) % 7)
            #expect(CivilDate(year: date.year, month: date.month, day: date.day) == date)
            #expect(CivilDate(daysSince1970: days + 1) > date)
        }
    }

    @Test(
        "A date that does not exist is refused",
        arguments: [
            (2026, 2, 31), (2026, 2, 30), (2026, 2, 29), (2024, 2, 30), (1900, 2, 29),
            (2026, 4, 31),
            (2026, 0, 1), (2026, 13, 1), (2026, 1, 0), (2026, 1, 32), (2026, -1, 1), (2026, 1, -1),
            (.max, 1, 1), (.min, 1, 1), (2026, .max, 1), (2026, 1, .min),
        ])
    func refusals(year: Int, month: Int, day: Int) {
        #expect(CivilDate(year: year, month: month, day: day) == nil)
    }

    @Test("29 February exists in leap years", arguments: [2024, 2000, 2400, 0, -4])
    func leapDay(year: Int) {
        #expect(CivilDate(year: year, month: 2, day: 29)?.day == 29)
    }

    @Test("The ends of time do not trap")
    func ends() {
        for days in [Int.min, .max, -366_000_000_001, 366_000_000_001] {
            #expect(!CivilDate(daysSince1970: days).description.isEmpty)
        }
        for milliseconds in [Int64.min, .max] {
            let time = Timestamp(milliseconds: milliseconds)
            #expect(!time.rfc3339.isEmpty && !CivilTime(time).internetText.isEmpty)
        }
    }

    @Test(
        "A time is written for tables and for mail",
        arguments: [
            (784_111_777, "1994-11-06 08:49:37", "Sun, 06 Nov 1994 08:49:37"),
            (-1, "1969-12-31 23:59:59", "Wed, 31 Dec 1969 23:59:59"),
            (-62_135_596_800, "0001-01-01 00:00:00", "Mon, 01 Jan 1 00:00:00"),
        ] as [(Int64, String, String)])
    func texts(seconds: Int64, table: String, mail: String) {
        let time = CivilTime(Timestamp(seconds: seconds))
        #expect(time.description == table)
        #expect(time.internetText == mail)
    }
}
