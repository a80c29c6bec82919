// SPDX-License-Identifier: Apache-2.0

/// The names that the fields of a head may have: a Bloom filter over the length and the first character.
///
/// Most of the fields that are looked up in a request are absent. The filter says so without reading the names again.
struct FieldNameFilter: Sendable {
    private var bits: UInt64 = 0

    mutating func insert(_ name: String) { bits |= Self.bit(of: name) }

    /// `false` only if no inserted name equals `name`, compared without regard to case.
    func mayContain(_ name: String) -> Bool { bits & Self.bit(of: name) != 0 }

    private static func bit(of name: String) -> UInt64 {
        // Bit 0x20 is the difference between upper and lower case.
        1 << UInt64((name.utf8.count &* 11 &+ Int((name.utf8.first ?? 0) | 0x20)) & 63)
    }
}
