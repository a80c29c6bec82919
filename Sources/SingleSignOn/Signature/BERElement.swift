// SPDX-License-Identifier: Apache-2.0

/// One element of ASN.1 in BER (ITU-T X.690), as far as the envelope of a signed profile requires
/// it. Signers use indefinite lengths and segmented strings, so DER alone does not suffice.
struct BERElement {
    /// The identifier octet with class and form.
    let tag: UInt8
    /// The content within the bytes that were read.
    let content: Range<Int>

    var isConstructed: Bool { tag & 0x20 != 0 }

    /// The maximum nesting depth, more than any signed profile has.
    private static let greatestDepth = 24

    /// Returns the elements that fill the range.
    static func all(
        in range: Range<Int>, of bytes: [UInt8]
    ) throws(SignedProfileError) -> [BERElement] {
        var elements: [BERElement] = []
        var index = range.lowerBound
        while index < range.upperBound {
            elements.append(try next(in: bytes, at: &index, end: range.upperBound, depth: 0))
        }
        return elements
    }

    /// Reads the element at `index` and advances past it.
    static func next(
        in bytes: [UInt8], at index: inout Int, end: Int, depth: Int
    ) throws(SignedProfileError) -> BERElement {
        guard depth < greatestDepth, end <= bytes.count, end - index >= 2 else { throw .malformed }
        let tag = bytes[index]
        // Signed messages contain no tags of more than one octet.
        guard tag & 0x1F != 0x1F else { throw .malformed }
        let first = bytes[index + 1]
        index += 2
        if first == 0x80 {
            return try indefinite(tag, in: bytes, at: &index, end: end, depth: depth)
        }
        let length = first < 0x80 ? Int(first) : try longLength(first, in: bytes, &index, end)
        guard length <= end - index else { throw .malformed }
        defer { index += length }
        return BERElement(tag: tag, content: index..<(index + length))
    }

    private static func longLength(
        _ first: UInt8, in bytes: [UInt8], _ index: inout Int, _ end: Int
    ) throws(SignedProfileError) -> Int {
        let count = Int(first & 0x7F)
        guard 1...4 ~= count, count <= end - index else { throw .malformed }
        defer { index += count }
        return bytes[index..<(index + count)].reduce(0) { $0 << 8 | Int($1) }
    }

    /// Reads children up to two zero octets.
    private static func indefinite(
        _ tag: UInt8, in bytes: [UInt8], at index: inout Int, end: Int, depth: Int
    ) throws(SignedProfileError) -> BERElement {
        guard tag & 0x20 != 0 else { throw .malformed }
        let start = index
        while true {
            guard end - index >= 2 else { throw .malformed }
            if bytes[index] == 0, bytes[index + 1] == 0 {
                defer { index += 2 }
                return BERElement(tag: tag, content: start..<index)
            }
            _ = try next(in: bytes, at: &index, end: end, depth: depth + 1)
        }
    }
}
