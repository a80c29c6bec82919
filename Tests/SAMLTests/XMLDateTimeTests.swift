// SPDX-License-Identifier: Apache-2.0
import AttestationSupport
import Primitives
import Support
import Testing

@testable import SAML

@Suite("xs:dateTime of SAML")
struct XMLDateTimeTests {
    @Test("31 February and other dates that do not exist are refused")
    func missingDates() {
        for date in ["2026-02-31", "2026-02-29", "2026-04-31", "2026-13-01", "2026-00-10"] {
            #expect(XMLDateTime.read("\(date)T00:00:00Z") == nil)
        }
        #expect(XMLDateTime.read("2024-02-29T00:00:00Z") != nil)
    }

    @Test("An assertion that ends on 31 February is refused")
    func assertion() throws {
        #expect(try AssertionMaker.code { $0.end = "2027-02-31T08:05:00Z" } == .timeMalformed)
        #expect(try AssertionMaker.code { $0.issued = "2026-02-31T08:05:00Z" } == .timeMalformed)
    }

    @Test("A time is written and read back, to the second", arguments: 0..<200)
    func roundTrip(seed: Int) {
        let random = SeededRandom(seed: UInt64(seed))
        let time = Timestamp(seconds: Int64(random.next() % 253_402_300_800))
        #expect(XMLDateTime.read(XMLDateTime.text(time)) == time)
        let fraction = XMLDateTime.text(time).dropLast() + ".987Z"
        #expect(XMLDateTime.read(String(fraction)) == time)
    }

    @Test(
        "Other forms are refused",
        arguments: [
            "", "2026-11-21", "2026-11-21T19:05:00", "2026-11-21t19:05:00Z", "2026-11-21T19:05:00z",
            "2026-11-21T19:05:00+00:00", "2026-11-21T19:05:00.Z", "2026-11-21T19:05:61Z",
            "2026-11-21T24:00:00Z", "-2026-11-21T19:05:00Z", " 2026-11-21T19:05:00Z",
            "2026-11-21T19:05:00.000000000000000000000000Z",
        ])
    func refusals(text: String) { #expect(XMLDateTime.read(text) == nil) }
}
