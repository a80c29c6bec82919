// SPDX-License-Identifier: Apache-2.0
import Foundation
import Primitives
import Support
import Testing

@Suite("Identifiers")
struct IdentifierTests {
    private enum Thing {}
    private let random = SeededRandom()

    @Test("An identifier carries version 7, the variant and the time (RFC 9562 section 5.7)")
    func layout() {
        let now = Timestamp(milliseconds: 0x0189_0A5D_AC96)
        for _ in 0..<100 {
            let bytes = Identifier<Thing>(now: now, random: random).bytes
            #expect(Array(bytes.prefix(6)) == [0x01, 0x89, 0x0A, 0x5D, 0xAC, 0x96])
            #expect(bytes[6] >> 4 == 7)
            #expect(bytes[8] >> 6 == 0b10)
        }
    }

    @Test("Text and bytes are read back")
    func roundTrip() {
        let id = Identifier<Thing>(now: Timestamp(seconds: 1_800_000_000), random: random)
        #expect(Identifier<Thing>(id.description) == id)
        #expect(Identifier<Thing>(bytes: id.bytes) == id)
        #expect(UUID(uuidString: id.description) != nil)
    }

    @Test("Later identifiers sort after earlier ones")
    func order() {
        let ids = (0..<50).map {
            Identifier<Thing>(now: Timestamp(milliseconds: Int64($0)), random: random)
        }
        #expect(ids == ids.sorted())
        #expect(ids.map(\.description) == ids.map(\.description).sorted())
    }

    @Test("A time outside of 48 bits does not trap", arguments: [Int64.min, -1, .max])
    func extremeTimes(_ milliseconds: Int64) {
        let id = Identifier<Thing>(now: Timestamp(milliseconds: milliseconds), random: random)
        #expect(id.bytes.count == 16)
    }

    @Test(
        "Other spellings are refused",
        arguments: [
            "", "01890a5d-ac96-774b-bcce-b302099a805", "01890A5D-AC96-774B-BCCE-B302099A8057",
            "01890a5dac96774bbcceb302099a8057", "{01890a5d-ac96-774b-bcce-b302099a8057}",
            "01890a5d-ac96-774b-bcce-b302099a805g", "01890a5d_ac96_774b_bcce_b302099a8057",
            "01890a5d-ac96-774b-bcce-b302099a80577", "０1890a5d-ac96-774b-bcce-b302099a80",
        ])
    func refuses(_ text: String) { #expect(Identifier<Thing>(text) == nil) }

    @Test("Only sixteen bytes are an identifier")
    func length() {
        for count in [0, 15, 17] {
            #expect(Identifier<Thing>(bytes: [UInt8](repeating: 1, count: count)) == nil)
        }
    }
}
