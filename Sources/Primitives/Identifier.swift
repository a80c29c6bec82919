// SPDX-License-Identifier: Apache-2.0

/// A UUID of version 7 (RFC 9562 section 5.7) that names one `Record` and no other kind.
///
/// Ordered by time of making, so indexes grow at one end, and no database sequence is needed.
package struct Identifier<Record>: Sendable, Hashable, Comparable, CustomStringConvertible {
    private let high: UInt64
    private let low: UInt64

    /// A fresh identifier.
    package init(now: Timestamp, random: some RandomSource) {
        let bytes = random.bytes(10)
        let time = UInt64(clamping: now.milliseconds) & 0xFFFF_FFFF_FFFF
        let randomA = (UInt64(bytes[0]) << 8 | UInt64(bytes[1])) & 0x0FFF
        high = time << 16 | 0x7000 | randomA
        low =
            bytes[2...].reduce(0) { $0 << 8 | UInt64($1) } & 0x3FFF_FFFF_FFFF_FFFF
            | 0x8000_0000_0000_0000
    }

    /// The identifier in exactly 16 bytes, as it is stored.
    package init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 16 else { return nil }
        high = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        low = bytes.dropFirst(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// The same for bytes in one piece, as rows of a store have them: every request reads a dozen.
    package init?(bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        (high, low) = bytes.withUnsafeBytes {
            (
                UInt64(bigEndian: $0.loadUnaligned(as: UInt64.self)),
                UInt64(bigEndian: $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            )
        }
    }

    /// The identifier in its usual form, `01890a5d-ac96-774b-bcce-b302099a8057`, lower case only.
    package init?(_ text: String) {
        let letters = Array(text.utf8)
        guard letters.count == 36 else { return nil }
        var bytes: [UInt8] = []
        var half: UInt8?
        for (index, letter) in letters.enumerated() {
            if [8, 13, 18, 23].contains(index) {
                guard letter == UInt8(ascii: "-") else { return nil }
                continue
            }
            guard let digit = Self.digits.firstIndex(of: letter).map(UInt8.init) else { return nil }
            if let first = half {
                bytes.append(first << 4 | digit)
                half = nil
            } else {
                half = digit
            }
        }
        self.init(bytes: bytes)
    }

    /// The 16 bytes, most significant first.
    package var bytes: [UInt8] {
        withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { Array($0) }
    }

    package var description: String {
        var letters: [UInt8] = []
        letters.reserveCapacity(36)
        for (index, byte) in bytes.enumerated() {
            if [4, 6, 8, 10].contains(index) { letters.append(UInt8(ascii: "-")) }
            letters.append(Self.digits[Int(byte >> 4)])
            letters.append(Self.digits[Int(byte & 15)])
        }
        return String(decoding: letters, as: UTF8.self)
    }

    package static func < (left: Identifier, right: Identifier) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }

    private static var digits: [UInt8] { Array("0123456789abcdef".utf8) }
}

extension Identifier: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let value = Self(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a UUID")
        }
        self = value
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
