// SPDX-License-Identifier: Apache-2.0
import Primitives
import Testing

@Suite struct RFC3339Tests {
    @Test(
        "A moment is written and read back",
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (1_795_234_925_081, "2026-11-21T04:22:05.081Z"),
            (-1, "1969-12-31T23:59:59.999Z"), (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
        ])
    func bothWays(milliseconds: Int64, text: String) {
        #expect(Timestamp(milliseconds: milliseconds).rfc3339 == text)
        #expect(Timestamp(rfc3339: text) == Timestamp(milliseconds: milliseconds))
    }

    @Test("Offsets count, and fractions beyond milliseconds are cut")
    func offsets() {
        #expect(Timestamp(rfc3339: "1970-01-01T01:00:00+01:00") == Timestamp(milliseconds: 0))
        #expect(Timestamp(rfc3339: "1969-12-31T23:30:00-00:30") == Timestamp(milliseconds: 0))
        #expect(Timestamp(rfc3339: "1970-01-01T00:00:00.1239Z") == Timestamp(milliseconds: 123))
    }

    @Test(
        "What is no moment is refused",
        arguments: [
            "", "now", "2026-11-21", "2026-11-21T04:22:05", "2026-11-21 04:22:05Z",
            "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-02-30T00:00:00Z",
            "2025-02-29T00:00:00Z", "2026-11-21T24:00:00Z", "2026-11-21T00:60:00Z",
            "2026-11-21T00:00:61Z", "2026-11-21T00:00:00.Z", "2026-11-21T00:00:00Zx",
            "2026-11-21T00:00:00+1:00", "2026-11-21T00:00:00+24:00", "02026-11-21T00:00:00Z",
            "２026-11-21T00:00:00Z", "2026-11-21T00:00:00.0000000000000000000000000000Z",
        ])
    func refusals(text: String) {
        #expect(Timestamp(rfc3339: text) == nil)
    }

    @Test("Text after a moment of 40 characters is refused")
    func longText() {
        let moment = "2026-11-21T00:00:00." + String(repeating: "0", count: 19) + "Z"
        #expect(moment.count == 40 && Timestamp(rfc3339: moment) != nil)
        #expect(Timestamp(rfc3339: moment + "x") == nil)
    }
}
