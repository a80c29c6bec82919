// SPDX-License-Identifier: Apache-2.0
import Primitives

/// A reader of binary property lists, version 00.
///
/// The format is a heap of objects with a table of their offsets. Every reference is checked before
/// it is followed, and a container that contains itself is refused. A shared object counts at each
/// reference, so that a small list cannot expand to a large one.
struct BinaryPropertyListReader: ~Copyable {
    private let bytes: [UInt8]
    private let trailer: BinaryPropertyListTrailer
    private var budget: PropertyListBudget
    /// The containers that enclose the value.
    private var open: [Int] = []

    static func read(
        _ bytes: [UInt8], limits: PropertyListLimits
    ) throws(PropertyListError) -> PropertyListNode {
        let trailer = try BinaryPropertyListTrailer(bytes)
        var reader = BinaryPropertyListReader(bytes, trailer, PropertyListBudget(limits))
        return try reader.object(trailer.root)
    }

    private init(
        _ bytes: [UInt8], _ trailer: BinaryPropertyListTrailer, _ budget: PropertyListBudget
    ) {
        self.bytes = bytes
        self.trailer = trailer
        self.budget = budget
    }

    private mutating func object(_ number: Int) throws(PropertyListError) -> PropertyListNode {
        let start = try trailer.offset(of: number, in: bytes)
        try budget.spend(at: start)
        let marker = bytes[start]
        switch marker >> 4 {
        case 0xA, 0xD:
            guard !open.contains(number) else {
                throw PropertyListError(.cycle, at: start, "a container that contains itself")
            }
            _ = try budget.enter(open.count, at: start)
            open.append(number)
            let value = marker >> 4 == 0xA ? try array(at: start) : try dictionary(at: start)
            open.removeLast()
            return PropertyListNode(value, at: start)
        default: return PropertyListNode(try scalar(at: start), at: start)
        }
    }

    // MARK: Containers

    private mutating func array(at start: Int) throws(PropertyListError) -> PropertyListNode.Value {
        let (count, body) = try length(at: start)
        let references = try references(count, at: body)
        var nodes: [PropertyListNode] = []
        for reference in references { nodes.append(try object(reference)) }
        return .array(nodes)
    }

    private mutating func dictionary(
        at start: Int
    ) throws(PropertyListError) -> PropertyListNode.Value {
        let (count, body) = try length(at: start)
        let keys = try references(count, at: body)
        let values = try references(count, at: body + count * trailer.referenceSize)
        var members: [PropertyListNode.Member] = []
        var names: Set<String> = []
        for (key, value) in zip(keys, values) {
            let offset = try trailer.offset(of: key, in: bytes)
            let kind = bytes[offset] >> 4
            guard kind == 0x5 || kind == 0x6, let name = try object(key).string else {
                throw PropertyListError(.unsupportedType, at: offset, "a key that is not a string")
            }
            guard names.insert(name).inserted else {
                throw PropertyListError(
                    .duplicateKey, at: offset, "\"\(name)\" is here more than once")
            }
            members.append(
                PropertyListNode.Member(name: name, offset: offset, node: try object(value)))
        }
        return .dictionary(members)
    }

    private func references(_ count: Int, at start: Int) throws(PropertyListError) -> [Int] {
        let size = trailer.referenceSize
        guard start <= trailer.table, count <= (trailer.table - start) / size else {
            throw PropertyListError(.reference, at: start, "more elements than bytes")
        }
        return (0..<count).map { trailer.number(at: start + $0 * size, size: size, in: bytes) }
    }

    // MARK: Single values

    private mutating func scalar(
        at start: Int
    ) throws(PropertyListError) -> PropertyListNode.Value {
        let marker = bytes[start]
        switch (marker >> 4, marker & 0x0F) {
        case (0x0, 0x8): return .boolean(false)
        case (0x0, 0x9): return .boolean(true)
        case (0x1, 0...4): return try integer(at: start + 1, size: 1 << Int(marker & 0x0F))
        case (0x2, 2), (0x2, 3): return .real(try real(at: start + 1, size: 1 << Int(marker & 0xF)))
        case (0x3, 3): return .date(try date(at: start + 1))
        case (0x4, _): return .data(Array(try payload(at: start, unit: 1)))
        case (0x5, _): return .string(try ascii(at: start))
        case (0x6, _): return .string(try utf16(at: start))
        default:
            throw PropertyListError(
                .unsupportedType, at: start, "an object of type 0x\(Hexadecimal.text(marker))")
        }
    }

    /// Returns `size` bytes before the table.
    private func slice(at start: Int, size: Int) throws(PropertyListError) -> ArraySlice<UInt8> {
        guard start <= trailer.table, size <= trailer.table - start else {
            throw PropertyListError(.reference, at: start, "longer than the list")
        }
        return bytes[start..<(start + size)]
    }

    /// Reads an integer: one, two and four bytes are unsigned; eight are signed; of sixteen, the
    /// upper half must be empty.
    private func integer(
        at start: Int, size: Int
    ) throws(PropertyListError) -> PropertyListNode.Value {
        let digits = try slice(at: start, size: size)
        let value = digits.suffix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        if size <= 8 { return .integer(Int64(bitPattern: value)) }
        guard digits.prefix(8).allSatisfy({ $0 == 0 }), let number = Int64(exactly: value) else {
            throw PropertyListError(.value, at: start, "an integer beyond 64 bits")
        }
        return .integer(number)
    }

    private func real(at start: Int, size: Int) throws(PropertyListError) -> Double {
        let bits = try slice(at: start, size: size).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let value =
            size == 4
            ? Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
            : Double(bitPattern: bits)
        guard value.isFinite else {
            throw PropertyListError(.value, at: start, "a number without a value")
        }
        return value
    }

    /// Seconds since 2001-01-01 UTC.
    private func date(at start: Int) throws(PropertyListError) -> Timestamp {
        let seconds = try real(at: start, size: 8) + 978_307_200
        guard let milliseconds = Int64(exactly: (seconds * 1000).rounded(.down)),
            (-62_167_219_200_000...253_402_300_799_999).contains(milliseconds)
        else { throw PropertyListError(.value, at: start, "a date beyond all calendars") }
        return Timestamp(milliseconds: milliseconds)
    }

    private mutating func ascii(at start: Int) throws(PropertyListError) -> String {
        let letters = try payload(at: start, unit: 1)
        guard letters.allSatisfy({ $0 < 0x80 }) else {
            throw PropertyListError(.value, at: start, "a character that is not ASCII")
        }
        return String(decoding: letters, as: UTF8.self)
    }

    private mutating func utf16(at start: Int) throws(PropertyListError) -> String {
        let letters = try payload(at: start, unit: 2)
        let units = stride(from: letters.startIndex, to: letters.endIndex, by: 2).map {
            UInt16(letters[$0]) << 8 | UInt16(letters[$0 + 1])
        }
        guard let text = String(validating: units, as: UTF16.self) else {
            throw PropertyListError(.notUTF8, at: start, "an unpaired UTF-16 surrogate")
        }
        return text
    }

    /// Returns the content after a marker with a length.
    private mutating func payload(
        at start: Int, unit: Int
    ) throws(PropertyListError) -> ArraySlice<UInt8> {
        let (count, body) = try length(at: start)
        guard count <= bytes.count else {
            throw PropertyListError(.reference, at: start, "longer than the list")
        }
        let content = try slice(at: body, size: count * unit)
        try budget.spend(content: content.count, at: start)
        return content
    }

    /// Reads the length from the marker, or from the following integer. Returns it with the start
    /// of the content.
    private func length(at start: Int) throws(PropertyListError) -> (count: Int, body: Int) {
        let short = Int(bytes[start] & 0x0F)
        guard short == 0x0F else { return (short, start + 1) }
        let marker = try slice(at: start + 1, size: 1).first ?? 0
        guard marker >> 4 == 0x1, marker & 0x0F <= 3 else {
            throw PropertyListError(.reference, at: start + 1, "a length that is not an integer")
        }
        let size = 1 << Int(marker & 0x0F)
        guard case .integer(let value) = try integer(at: start + 2, size: size),
            let count = Int(exactly: value), (0...bytes.count).contains(count)
        else { throw PropertyListError(.reference, at: start + 1, "longer than the list") }
        return (count, start + 2 + size)
    }
}
