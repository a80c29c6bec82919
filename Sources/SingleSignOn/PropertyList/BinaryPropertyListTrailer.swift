// SPDX-License-Identifier: Apache-2.0

/// The last 32 bytes of a binary property list: the number of objects and the location of the
/// offset table.
struct BinaryPropertyListTrailer {
    /// The size of a reference in bytes.
    let referenceSize: Int
    /// The number of the outermost object.
    let root: Int
    /// The start of the table; all objects precede it.
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

    /// Returns the offset of the object, before the table.
    func offset(of object: Int, in bytes: [UInt8]) throws(PropertyListError) -> Int {
        guard (0..<count).contains(object) else {
            throw PropertyListError(.reference, at: table, "there is no object \(object)")
        }
        let offset = number(at: table + object * entrySize, size: entrySize, in: bytes)
        guard (Self.header.count..<table).contains(offset) else {
            throw PropertyListError(
                .reference, at: table + object * entrySize, "object \(object) is outside the list")
        }
        return offset
    }

    /// Returns a reference or an offset; `Int.max`, which is invalid, if it does not fit into
    /// `Int`.
    func number(at start: Int, size: Int, in bytes: [UInt8]) -> Int {
        let value = bytes[start..<(start + size)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Int(exactly: value) ?? .max
    }
}
