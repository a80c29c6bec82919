// SPDX-License-Identifier: Apache-2.0
import CBOR
import Testing

/// The canonical form of CTAP2: what rfc8949 accepts and ctap2 does not.
@Suite struct CanonicalFormTests {
    static let refusals: [(String, CBORError.Code)] = [
        ("18 17", .notShortest), ("19 00ff", .notShortest), ("1a 0000ffff", .notShortest),
        ("1b 00000000ffffffff", .notShortest), ("38 00", .notShortest), ("39 0001", .notShortest),
        ("58 01 00", .notShortest), ("78 01 61", .notShortest), ("98 01 00", .notShortest),
        ("b8 01 00 00", .notShortest), ("59 0001 00", .notShortest),
        ("5f ff", .indefiniteLength), ("7f ff", .indefiniteLength), ("9f ff", .indefiniteLength),
        ("bf ff", .indefiniteLength),
        ("c0 60", .tagNotAllowed), ("c2 41 01", .tagNotAllowed), ("d9 d9f7 00", .tagNotAllowed),
        ("a2 02 00 01 00", .unsortedKeys),
        // Length before bytes, type before length.
        ("a2 62 61 61 00 61 62 00", .unsortedKeys), ("a2 61 61 00 01 00", .unsortedKeys),
        ("a2 20 00 01 00", .unsortedKeys), ("a2 18 18 00 01 00", .unsortedKeys),
        ("81 81 81 81 80", .tooDeep), ("a1 00 a1 00 a1 00 a1 00 a0", .tooDeep),
    ]

    @Test("What is not canonical is refused by ctap2 and accepted by rfc8949", arguments: refusals)
    func refused(_ digits: String, _ code: CBORError.Code) {
        #expect(throws: CBORError(code, at: 0)) {
            try CBORValue.decode(hex(digits), profile: .ctap2)
        }
        #expect(throws: Never.self) { try CBORValue.decode(hex(digits), profile: .rfc8949) }
    }

    @Test(
        "The same key twice is refused by ctap2",
        arguments: [
            "a2 01 02 01 03", "a2 61 61 01 61 61 02", "a3 01 00 02 00 02 00",
            // NaN in two spellings, next to each other and apart; a find of the fuzzer.
            "a2 f9 7e00 00 f9 7e01 00", "a3 f9 7e00 00 fa 40490fdb 01 fb 7ff8000000000001 02",
            "a2 81 f9 7e00 00 81 f9 7e01 00",
        ])
    func duplicate(_ digits: String) {
        #expect(throws: CBORError(.duplicateKey, at: 0)) {
            try CBORValue.decode(hex(digits), profile: .ctap2)
        }
    }

    @Test(
        "Canonical bytes are accepted and encode to themselves",
        arguments: [
            "00", "17", "1818", "190100", "1a00010000", "1b0000000100000000", "20", "3818", "40",
            "6161", "8100", "a0", "a30100200061610a", "81818180", "f4", "f5", "f6", "f7",
            "a401020320206161 226162",
        ])
    func canonical(_ digits: String) throws {
        let value = try CBORValue.decode(hex(digits), profile: .ctap2)
        #expect(value.encoded(ordering: .ctap2) == hex(digits))
    }

    @Test("One item is taken and the rest handed back")
    func prefix() throws {
        let bytes = hex("ff a1 01 02 83 00")
        let (value, rest) = try CBORValue.decodePrefix(bytes[1...], profile: .ctap2)
        #expect(value == .map([CBOREntry(.unsigned(1), .unsigned(2))]))
        #expect(rest == bytes[4...])
        #expect(rest.startIndex == 4)
    }

    @Test("Byte strings are slices of the input, not copies")
    func slices() throws {
        let bytes = hex("82 41 aa 42 bb cc")
        let items = try #require(try CBORValue.decode(bytes, profile: .ctap2).items)
        #expect(items[0].byteString?.startIndex == 2)
        #expect(items[1].byteString?.startIndex == 4)
    }

    @Test("Keys sort bytewise under RFC 8949, by length first under CTAP2")
    func orderings() {
        // An array as key: 81 18 64 is longer than 82 00 01 is not; 8118ff sorts before 820001.
        let map = CBORValue.map([
            CBOREntry(.array([.unsigned(0), .unsigned(1)]), .null),
            CBOREntry(.array([.unsigned(0x1_0000)]), .null),
            CBOREntry(.integer(-1), .null), CBOREntry(.unsigned(100), .null),
            CBOREntry(.text("z"), .null), CBOREntry(.text("aa"), .null),
        ])
        #expect(
            map.encoded() == hex("a6 1864f6 20f6 617af6 626161f6 811a00010000f6 820001f6"))
        #expect(
            map.encoded(ordering: .ctap2)
                == hex("a6 1864f6 20f6 617af6 626161f6 820001f6 811a00010000f6"))
    }

    @Test(
        "Maps as keys of maps, a hundred deep, take no longer than their bytes",
        .timeLimit(.minutes(1)))
    func nestedKeys() throws {
        var value = CBORValue.map([])
        for _ in 0..<100 {
            value = .map([CBOREntry(.unsigned(0), .null), CBOREntry(value, .null)])
        }
        let bytes = value.encoded()
        #expect(bytes.count == 1 + 100 * 4)
        #expect(try CBORValue.decode(bytes, profile: .rfc8949) == value)
    }

    @Test(
        "Keys compare as their encodings do",
        arguments: [CBORKeyOrdering.rfc8949, .ctap2])
    func keys(_ ordering: CBORKeyOrdering) {
        let numbers: [UInt64] = [0, 1, 23, 24, 255, 256, 65535, 65536, 1 << 32, .max]
        let texts = ["", "a", "b", "aa", "é", "ab", "é€", "\u{10000}", "z", "\u{7F}"]
        let long = [23, 24, 255, 256].map { String(repeating: "x", count: $0) }
        let keys =
            numbers.flatMap { [CBORValue.unsigned($0), .negative($0)] }
            + (texts + long).map { .text($0) }
            + [.bytes([]), .bytes([0xFF]), .simple(20), .array([.text("a")]), .map([])]
        for left in keys {
            for right in keys {
                #expect(
                    ordering.precedes(left, right)
                        == ordering.precedes(
                            left.encoded(ordering: ordering)[...],
                            right.encoded(ordering: ordering)[...]),
                    "\(left), \(right)")
            }
        }
    }
}
