// SPDX-License-Identifier: Apache-2.0

/// A UUID of version 7 (RFC 9562 section 5.7) that identifies one `Record` and no other kind.
///
/// UUIDs are ordered by creation time, so indexes grow at one end, and no database sequence is
/// needed. Every request reads and writes several, so the work is in functions that do not depend
/// on `Record`: other modules would call generic ones unspecialized.
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
    package init?(bytes: [UInt8]) {
        guard let (high, low) = halves(of: bytes) else { return nil }
        (self.high, self.low) = (high, low)
    }

    /// The identifier in its usual form, `01890a5d-ac96-774b-bcce-b302099a8057`, lower case only.
    package init?(_ text: String) {
        guard let (high, low) = halves(in: text) else { return nil }
        (self.high, self.low) = (high, low)
    }

    /// The identifier of 16 zero bytes, which no record has.
    package static var zero: Identifier { Identifier() }

    private init() { (high, low) = (0, 0) }

    /// The 16 bytes, most significant first.
    package var bytes: [UInt8] {
        withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { Array($0) }
    }

    package var description: String { UUIDText.encode(bytes) }

    package static func < (left: Identifier, right: Identifier) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }
}

private func halves(of bytes: [UInt8]) -> (UInt64, UInt64)? {
    guard bytes.count == 16 else { return nil }
    return (
        bytes[..<8].reduce(0) { $0 << 8 | UInt64($1) },
        bytes[8...].reduce(0) { $0 << 8 | UInt64($1) }
    )
}

private func halves(in text: String) -> (UInt64, UInt64)? {
    guard text.utf8.count == 36 else { return nil }
    var (high, low): (UInt64, UInt64) = (0, 0)
    for (index, letter) in text.utf8.enumerated() {
        if UUIDText.isHyphen(at: index) {
            guard letter == UInt8(ascii: "-") else { return nil }
            continue
        }
        // Lower case only.
        guard !(UInt8(ascii: "A")...UInt8(ascii: "F")).contains(letter),
            let digit = Hexadecimal.value(letter)
        else { return nil }
        high = high << 4 | low >> 60
        low = low << 4 | UInt64(digit)
    }
    return (high, low)
}
