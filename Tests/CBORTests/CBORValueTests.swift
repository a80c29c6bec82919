// SPDX-License-Identifier: Apache-2.0
import CBOR
import Testing

@Suite struct CBORValueTests {
    @Test(
        "Integers keep their value to the ends of Int64",
        arguments: [0, 1, -1, 23, 24, -24, -25, 255, 256, .max, .min] as [Int64])
    func integers(_ number: Int64) throws {
        let value = CBORValue.integer(number)
        #expect(value.int64 == number)
        #expect(try CBORValue.decode(value.encoded(), profile: .ctap2).int64 == number)
    }

    @Test(
        "An integer beyond Int64 is no Int64, and no trap",
        arguments: [
            "1b8000000000000000", "1bffffffffffffffff", "3b8000000000000000", "3bffffffffffffffff",
        ])
    func beyond(_ digits: String) throws {
        #expect(try CBORValue.decode(hex(digits), profile: .ctap2).int64 == nil)
    }

    @Test("A value of one type is none of another")
    func accessors() {
        let value = CBORValue.text("a")
        #expect(value.int64 == nil)
        #expect(value.byteString == nil)
        #expect(value.items == nil)
        #expect(value.entries == nil)
        #expect(value["a"] == nil)
        #expect(value[1] == nil)
        #expect(CBORValue.unsigned(1).textString == nil)
    }

    @Test("Members are found by text and by number")
    func members() throws {
        let map = try CBORValue.decode(hex("a2 03 26 63 666d74 01"), profile: .ctap2)
        #expect(map[3]?.int64 == -7)
        #expect(map["fmt"] == .unsigned(1))
        #expect(map["fm"] == nil)
        #expect(map[-3] == nil)
    }

    @Test("Every half-precision number survives decoding and encoding")
    func halves() throws {
        for bits in 0...UInt16.max {
            let bytes = [0xF9, UInt8(bits >> 8), UInt8(bits & 0xFF)]
            let value = try CBORValue.decode(bytes, profile: .rfc8949)
            let isNaN = bits & 0x7C00 == 0x7C00 && bits & 0x3FF != 0
            // Every NaN has one deterministic form.
            #expect(value.encoded() == (isNaN ? [0xF9, 0x7E, 0x00] : bytes))
        }
    }

    @Test(
        "Floats take the shortest width that keeps them",
        arguments: [
            (1.0, "f93c00"), (65504, "f97bff"), (65505, "fa477fe100"), (65536, "fa47800000"),
            (0x1p-24, "f90001"), (0x1p-25, "fa33000000"), (0x1.8p-24, "fa33c00000"),
            (0.1, "fb3fb999999999999a"), (-0.0, "f98000"), (1e300, "fb7e37e43c8800759c"),
            (3.4028234663852886e+38, "fa7f7fffff"), (1.00048828125, "fa3f801000"),
        ] as [(Double, String)])
    func floats(_ number: Double, _ digits: String) {
        #expect(CBORValue.float(number).encoded() == hex(digits))
    }
}

@Suite struct DiagnosticNotationTests {
    @Test(
        "Values print as RFC 8949 appendix A prints them",
        arguments: [
            ("1bffffffffffffffff", "18446744073709551615"),
            ("3bffffffffffffffff", "-18446744073709551616"),
            ("c249010000000000000000", "18446744073709551616"),
            ("c349010000000000000000", "-18446744073709551617"),
            ("c240", "0"), ("c340", "-1"), ("c201", "2(1)"),
            ("f90000", "0.0"), ("f98000", "-0.0"), ("fb3ff199999999999a", "1.1"),
            ("fa47c35000", "100000.0"), ("fb7e37e43c8800759c", "1.0e+300"),
            ("f90001", "5.960464477539063e-8"), ("f90400", "0.00006103515625"),
            ("fbc010666666666666", "-4.1"), ("fa7f7fffff", "3.4028234663852886e+38"),
            ("f97e00", "NaN"), ("f9fc00", "-Infinity"), ("fa49742400", "1000000.0"),
            ("fb444b1ae4d6e2ef50", "1.0e+21"), ("fb4415af1d78b58c40", "100000000000000000000.0"),
            ("f4", "false"), ("f6", "null"), ("f7", "undefined"), ("f0", "simple(16)"),
            ("c1fb41d452d9ec200000", "1(1363896240.5)"), ("d818456449455446", "24(h'6449455446')"),
            ("62225c", "\"\\\"\\\\\""), ("62c3bc", "\"ü\""),
            ("5fff", "''_"), ("7fff", "\"\"_"), ("5f42010243030405ff", "(_ h'0102', h'030405')"),
            ("7f657374726561646d696e67ff", "(_ \"strea\", \"ming\")"), ("9fff", "[_ ]"),
            ("9f018202039f0405ffff", "[_ 1, [2, 3], [_ 4, 5]]"),
            ("bf61610161629f0203ffff", "{_ \"a\": 1, \"b\": [_ 2, 3]}"),
            ("a201020304", "{1: 2, 3: 4}"), ("a0", "{}"), ("80", "[]"),
        ])
    func prints(_ digits: String, _ expected: String) throws {
        #expect(try CBORValue.decode(hex(digits), profile: .rfc8949).diagnostic == expected)
    }

    @Test("Control characters and direction marks cannot reach a log")
    func invisible() {
        let text = CBORValue.text("a\u{0}\n\u{7F}\u{85}\u{202E}\u{2066}b")
        #expect(text.diagnostic == #""a\u0000\n\u007f\u0085\u202e\u2066b""#)
    }

    @Test("A bignum of more than 128 bytes is printed as bytes")
    func longBignum() {
        let bignum = CBORValue.tagged(2, .byteString([UInt8](repeating: 1, count: 129)))
        #expect(bignum.diagnostic.hasPrefix("2(h'01"))
    }
}
