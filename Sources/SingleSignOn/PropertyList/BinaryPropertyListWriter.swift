// SPDX-License-Identifier: Apache-2.0
import Primitives

/// Writes binary property lists, version 00. Equal single values are written once.
package struct BinaryPropertyListWriter {
    private enum Object {
        case scalar(PropertyList)
        case array([Int])
        case dictionary(keys: [Int], values: [Int])
    }

    private var objects: [Object] = []
    private var numbers: [PropertyList: Int] = [:]
    private let referenceSize: Int

    package static func bytes(of value: PropertyList) throws(PropertyListError) -> [UInt8] {
        try BinaryPropertyListWriter(value).bytes()
    }

    private init(_ value: PropertyList) {
        // An upper bound, before objects have numbers.
        referenceSize = Self.size(of: Self.count(value))
        _ = add(value)
    }

    private static func count(_ value: PropertyList) -> Int {
        switch value {
        case .array(let values): values.reduce(1) { $0 + count($1) }
        case .dictionary(let entries): entries.reduce(1) { $0 + 1 + count($1.value) }
        default: 1
        }
    }

    /// Returns the number of bytes for a number: 1, 2, 4 or 8.
    private static func size(of number: Int) -> Int {
        switch number {
        case ...0xFF: 1
        case ...0xFFFF: 2
        case ...0xFFFF_FFFF: 4
        default: 8
        }
    }

    /// Adds an object and returns its number; the outermost is 0.
    private mutating func add(_ value: PropertyList) -> Int {
        let number = objects.count
        switch value {
        case .array(let values):
            objects.append(.array([]))
            let references = values.map { add($0) }
            objects[number] = .array(references)
        case .dictionary(let entries):
            objects.append(.array([]))
            let keys = entries.map { add(.string($0.name)) }
            let references = entries.map { add($0.value) }
            objects[number] = .dictionary(keys: keys, values: references)
        default:
            if let known = numbers[value] { return known }
            numbers[value] = number
            objects.append(.scalar(value))
        }
        return number
    }

    // MARK: Bytes

    private func bytes() throws(PropertyListError) -> [UInt8] {
        var output = Array("bplist00".utf8)
        var offsets: [Int] = []
        for object in objects {
            offsets.append(output.count)
            switch object {
            case .scalar(let value): try Self.write(value, to: &output)
            case .array(let references): write(0xA0, references, [], to: &output)
            case .dictionary(let keys, let values): write(0xD0, keys, values, to: &output)
            }
        }
        let table = output.count
        let entrySize = Self.size(of: table)
        for offset in offsets { Self.append(offset, size: entrySize, to: &output) }
        output += [0, 0, 0, 0, 0, 0, UInt8(entrySize), UInt8(referenceSize)]
        for number in [objects.count, 0, table] { Self.append(number, size: 8, to: &output) }
        return output
    }

    private func write(_ kind: UInt8, _ first: [Int], _ second: [Int], to output: inout [UInt8]) {
        Self.appendMarker(kind, count: first.count, to: &output)
        for reference in first + second {
            Self.append(reference, size: referenceSize, to: &output)
        }
    }

    private static func write(
        _ value: PropertyList, to output: inout [UInt8]
    ) throws(PropertyListError) {
        switch value {
        case .boolean(let truth): output.append(truth ? 0x09 : 0x08)
        case .integer(let number): append(integer: number, to: &output)
        case .real(let number):
            guard number.isFinite else { throw unwritable("a number without a value") }
            output.append(0x23)
            append(number.bitPattern, to: &output)
        case .date(let date):
            output.append(0x33)
            let seconds = Double(date.milliseconds) / 1000 - 978_307_200
            append(seconds.bitPattern, to: &output)
        case .data(let data):
            appendMarker(0x40, count: data.count, to: &output)
            output += data
        case .string(let text) where text.utf8.allSatisfy({ $0 < 0x80 }):
            appendMarker(0x50, count: text.utf8.count, to: &output)
            output += text.utf8
        case .string(let text):
            appendMarker(0x60, count: text.utf16.count, to: &output)
            for unit in text.utf16 { append(Int(unit), size: 2, to: &output) }
        case .array, .dictionary: throw unwritable("a container as a single value")
        }
    }

    /// Up to four bytes are unsigned, so a negative number has eight.
    private static func append(integer number: Int64, to output: inout [UInt8]) {
        let size = number < 0 ? 8 : Self.size(of: Int(number))
        output.append(0x10 | UInt8(size.trailingZeroBitCount))
        append(UInt64(bitPattern: number), size: size, to: &output)
    }

    private static func appendMarker(_ kind: UInt8, count: Int, to output: inout [UInt8]) {
        guard count >= 0x0F else { return output.append(kind | UInt8(count)) }
        output.append(kind | 0x0F)
        append(integer: Int64(count), to: &output)
    }

    private static func append(_ number: Int, size: Int, to output: inout [UInt8]) {
        append(UInt64(number), size: size, to: &output)
    }

    private static func append(_ bits: UInt64, size: Int = 8, to output: inout [UInt8]) {
        for place in (0..<size).reversed() {
            output.append(UInt8(truncatingIfNeeded: bits >> UInt64(place * 8)))
        }
    }

    private static func unwritable(_ what: String) -> PropertyListError {
        PropertyListError(.unwritable, at: 0, "\(what) cannot be written")
    }
}
