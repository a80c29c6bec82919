// SPDX-License-Identifier: Apache-2.0
import CBOR
import Testing

/// Not well-formed, or not valid: refused under every profile (RFC 8949 appendix F and 5.3.1).
@Suite struct DecoderRefusalTests {
    static let refusals: [(String, CBORError.Code)] = [
        ("", .truncated),
        ("18", .truncated), ("19 01", .truncated), ("1a 010203", .truncated),
        ("1b 01020304050607", .truncated), ("38", .truncated), ("f8", .truncated),
        ("f9 00", .truncated), ("fa 000000", .truncated), ("fb 00000000000000", .truncated),
        ("41", .truncated), ("61", .truncated), ("42 00", .truncated), ("81", .truncated),
        ("82 00", .truncated), ("a1", .truncated), ("a1 01", .truncated), ("a2 01 02", .truncated),
        // Claims of length that no memory could meet (attack 25).
        ("5b ffffffffffffffff 00", .truncated), ("7b 7fffffffffffffff 00", .truncated),
        ("9b ffffffffffffffff", .truncated), ("9b 0000000100000000 00", .truncated),
        ("bb ffffffffffffffff 00 00", .truncated), ("bb 8000000000000000 00 00", .truncated),
        // Reserved additional information.
        ("1c", .reservedInformation), ("1d", .reservedInformation), ("1e", .reservedInformation),
        ("3c", .reservedInformation), ("5d", .reservedInformation), ("7e", .reservedInformation),
        ("9c", .reservedInformation), ("bd", .reservedInformation), ("fc", .reservedInformation),
        // No indefinite length for integers.
        ("1f", .reservedInformation), ("3f", .reservedInformation),
        // A break where none belongs.
        ("ff", .unexpectedBreak), ("81 ff", .unexpectedBreak), ("a1 ff 00", .unexpectedBreak),
        ("a1 00 ff", .unexpectedBreak),
        // Trailing bytes.
        ("00 00", .trailingBytes), ("80 80", .trailingBytes), ("60 f6", .trailingBytes),
        // A simple value below 32 in two bytes has two spellings.
        ("f8 00", .invalidSimpleValue), ("f8 18", .invalidSimpleValue),
        ("f8 1f", .invalidSimpleValue),
        // Text that is not UTF-8: alone, overlong, surrogate, beyond Unicode, cut.
        ("61 80", .invalidText), ("62 c0 80", .invalidText), ("63 ed a0 80", .invalidText),
        ("64 f4 90 80 80", .invalidText), ("61 c3", .invalidText),
    ]

    @Test("Malformed bytes are refused for the right reason", arguments: refusals)
    func refused(_ digits: String, _ code: CBORError.Code) {
        for profile in [CBORProfile.rfc8949, .ctap2] {
            #expect(throws: CBORError(code, at: 0)) {
                try CBORValue.decode(hex(digits), profile: profile)
            }
        }
    }

    static let general: [(String, CBORError.Code)] = [
        ("5f 41 00", .truncated), ("9f 01", .truncated), ("bf 01 02", .truncated),
        ("bf 01 ff", .unexpectedBreak), ("c0 ff", .unexpectedBreak),
        ("df 00", .reservedInformation),
        // Chunks of another type, or indefinite ones.
        ("5f 61 61 ff", .invalidChunk), ("7f 41 61 ff", .invalidChunk), ("5f 00 ff", .invalidChunk),
        ("5f 5f 41 00 ff ff", .invalidChunk),
        // A character may not be split between chunks.
        ("7f 61 c3 61 bc ff", .invalidText),
        // The same key twice, also in two spellings and in indefinite maps.
        ("a2 01 02 01 03", .duplicateKey), ("a2 01 02 18 01 03", .duplicateKey),
        ("bf 61 61 01 61 61 02 ff", .duplicateKey), ("a2 9f 01 ff 00 81 01 00", .duplicateKey),
        ("a2 f9 3c 00 00 fa 3f 80 00 00 01", .duplicateKey),
        ("a2 7f 61 61 ff 00 61 61 00", .duplicateKey),
    ]

    @Test("What only rfc8949 could accept is refused when it is broken", arguments: general)
    func refusedInGeneral(_ digits: String, _ code: CBORError.Code) {
        #expect(throws: CBORError(code, at: 0)) {
            try CBORValue.decode(hex(digits), profile: .rfc8949)
        }
    }

    @Test("Ten thousand open arrays, maps or tags are refused, not followed")
    func bomb() {
        for opener: UInt8 in [0x81, 0x9F, 0xA1, 0xBF, 0xC1] {
            let bytes = [UInt8](repeating: opener, count: 10_000)
            #expect(throws: CBORError(.tooDeep, at: 0)) {
                try CBORValue.decode(bytes, profile: .rfc8949)
            }
        }
    }

    @Test("The depth limit itself is reached, one more is too deep")
    func depth() throws {
        let limit = CBORProfile.rfc8949.maximumDepth
        let open = [UInt8](repeating: 0x81, count: limit)
        _ = try CBORValue.decode(open + [0x00], profile: .rfc8949)
        #expect(throws: CBORError(.tooDeep, at: 0)) {
            try CBORValue.decode(open + [0x80], profile: .rfc8949)
        }
    }

    @Test("Input beyond the size limit is refused unread")
    func size() {
        let bytes = [UInt8](repeating: 0x60, count: CBORProfile.ctap2.maximumSize + 1)
        #expect(throws: CBORError(.tooLarge, at: 0)) {
            try CBORValue.decode(bytes, profile: .ctap2)
        }
    }

    @Test("More items than allowed are refused")
    func items() {
        let count = CBORProfile.ctap2.maximumItems
        let head = [0x99, UInt8(count >> 8), UInt8(count & 0xFF)]
        #expect(throws: CBORError(.tooManyItems, at: 0)) {
            try CBORValue.decode(
                head + [UInt8](repeating: 0, count: count), profile: .ctap2)
        }
        // The array itself is one.
        let fewer = [0x99, UInt8((count - 1) >> 8), UInt8((count - 1) & 0xFF)]
        #expect(throws: Never.self) {
            try CBORValue.decode(
                fewer + [UInt8](repeating: 0, count: count - 1), profile: .ctap2)
        }
    }

    @Test("An error tells where it happened, counted from the start of the slice")
    func offset() throws {
        let bytes = hex("ffff 82 00 1c")
        let error = try #require(throws: CBORError.self) {
            try CBORValue.decode(bytes[2...], profile: .rfc8949)
        }
        #expect(error.offset == 2)
        #expect(error.description == "reserved_information at byte 2")
    }
}
