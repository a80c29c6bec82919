// SPDX-License-Identifier: Apache-2.0

/// The last 32 bytes of a binary property list: how many objects there are, and where the table
/// of their places stands.
struct BinaryPropertyListTrailer {
    /// Bytes of one reference to an object.
    let referenceSize: Int
    /// The number of the outermost object.
    let root: Int
    /// Where the table begins; all objects stand before it.
    let table: Int
    private let entrySize: Int
    private let count: Int

    private static let header = Array("bplist00".utf8)
    private static let length = 32

    init(_ bytes: [UInt8]) throws(PropertyListError) {
        guard bytes.starts(with: Self.header) else {
            throw PropertyListError(.unknownFormat, at: 0, "not version 00")
        }
        let start = bytes.count - Self.length
        guard start > Self.header.count else {
            throw PropertyListError(.unexpectedEnd, at: bytes.count, "no trailer")
        }
        func number(_ offset: Int) throws(PropertyListError) -> Int {
            let value = bytes[(start + offset)..<(start + offset + 8)]
                .reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            guard let number = Int(exactly: value), number <= bytes.count else {
                throw PropertyListError(
                    .reference, at: start + offset, "a number greater than the list")
            }
            return number
        }
        entrySize = Int(bytes[start + 6])
        referenceSize = Int(bytes[start + 7])
        count = try number(8)
        root = try number(16)
        table = try number(24)
        guard 1...8 ~= entrySize, 1...8 ~= referenceSize else {
            throw PropertyListError(.reference, at: start + 6, "references of no size")
        }
        // Both factors are small: `count` is at most the length of the list.
        guard table >= Self.header.count, table <= start, count * entrySize <= start - table else {
            throw PropertyListError(.reference, at: start + 24, "a table outside the list")
        }
    }

    /// Where the object stands, before the table.
    func offset(of object: Int, in bytes: [UInt8]) throws(PropertyListError) -> Int {
        guard (0..<count).contains(object) else {
            throw PropertyListError(.reference, at: table, "there is no object \(object)")
        }
        let offset = number(at: table + object * entrySize, size: entrySize, in: bytes)
        guard (Self.header.count..<table).contains(offset) else {
            throw PropertyListError(
                .reference, at: table + object * entrySize, "object \(object) stands outside")
        }
        return offset
    }

    /// A reference or an offset; what `Int` cannot hold is the greatest `Int`, which nothing has.
    func number(at start: Int, size: Int, in bytes: [UInt8]) -> Int {
        let value = bytes[start..<(start + size)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Int(exactly: value) ?? .max
    }
}
