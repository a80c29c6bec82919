// SPDX-License-Identifier: Apache-2.0
import Primitives
import SingleSignOn
import Testing

/// A builder of binary property lists, including invalid ones.
private struct BinaryBuilder {
    var objects: [[UInt8]] = []
    var entrySize: UInt8 = 1
    var referenceSize: UInt8 = 1
    var count: UInt64?
    var root: UInt64 = 0
    var table: UInt64?
    var offsets: [UInt8]?

    init(_ objects: [[UInt8]]) { self.objects = objects }

    var bytes: [UInt8] {
        var output = Array("bplist00".utf8)
        var places: [UInt8] = []
        for object in objects {
            places.append(UInt8(truncatingIfNeeded: output.count))
            output += object
        }
        let start = UInt64(output.count)
        output += offsets ?? places
        output += [0, 0, 0, 0, 0, 0, entrySize, referenceSize]
        for number in [count ?? UInt64(objects.count), root, table ?? start] {
            output += (0..<8).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
        }
        return output
    }
}

@Suite struct BinaryPropertyListTests {
    private func code(_ bytes: [UInt8]) -> PropertyListError.Code? {
        do throws(PropertyListError) {
            _ = try PropertyListDocument(bytes)
            return nil
        } catch {
            return error.code
        }
    }

    private func value(_ object: [UInt8]) throws -> PropertyList {
        try PropertyListDocument(BinaryBuilder([object]).bytes).root.propertyList
    }

    @Test("Single values are read")
    func values() throws {
        #expect(try value([0x09]) == true)
        #expect(try value([0x08]) == false)
        #expect(try value([0x10, 0xFF]) == 255)
        #expect(try value([0x11, 0x01, 0x00]) == 256)
        #expect(try value([0x13] + [UInt8](repeating: 0xFF, count: 8)) == -1)
        #expect(try value([0x14] + [UInt8](repeating: 0, count: 15) + [7]) == 7)
        #expect(try value([0x22, 0x3F, 0xC0, 0, 0]) == .real(1.5))
        #expect(
            try value([0x33, 0, 0, 0, 0, 0, 0, 0, 0]) == .date(Timestamp(seconds: 978_307_200)))
        #expect(try value([0x42, 1, 2]) == .data([1, 2]))
        #expect(try value([0x52, 0x61, 0x62]) == "ab")
        #expect(try value([0x61, 0x00, 0xE4]) == "ä")
        #expect(try value([0x62, 0xD8, 0x3D, 0xDE, 0x00]) == "😀")
        #expect(try value([0x5F, 0x10, 0x01, 0x61]) == "a")
    }

    @Test("Containers are read, and places are bytes")
    func containers() throws {
        let bytes = BinaryBuilder([[0xD1, 1, 2], [0x51, 0x61], [0xA2, 3, 3], [0x10, 5]]).bytes
        let document = try PropertyListDocument(bytes)
        #expect(document.format == .binary)
        #expect(document.root.propertyList == ["a": [5, 5]])
        let member = try #require(document.root.member("a"))
        #expect(document.place(at: member.offset) == .byte(11))
        #expect("\(document.place(at: member.node.offset))" == "byte 13")
    }

    @Test("A container that holds itself is refused")
    func cycles() {
        #expect(code(BinaryBuilder([[0xA1, 0]]).bytes) == .cycle)
        #expect(code(BinaryBuilder([[0xA1, 1], [0xA1, 0]]).bytes) == .cycle)
        #expect(code(BinaryBuilder([[0xD1, 1, 0], [0x51, 0x61]]).bytes) == .cycle)
    }

    @Test("Shared containers cannot unfold without end")
    func sharing() {
        // Each of 20 arrays holds the next one eight times: 8^20 values.
        var objects = (1...20).map { [0xA8] + [UInt8](repeating: UInt8($0), count: 8) }
        objects.append([0x09])
        #expect(code(BinaryBuilder(objects).bytes) == .tooMuch)
    }

    @Test("A long text that is shared counts each time")
    func sharedText() {
        let letters = [UInt8](repeating: 0x61, count: 60_000)
        let text = [0x5F, 0x11, 0xEA, 0x60] + letters
        let list = [0xAF, 0x10, 200] + [UInt8](repeating: 1, count: 200)
        #expect(code(BinaryBuilder([list, text]).bytes) == .tooMuch)
    }

    @Test("Too many containers inside one another are refused")
    func depth() {
        var objects = (1...200).map { [0xA1, UInt8($0)] }
        objects.append([0x09])
        var builder = BinaryBuilder(objects)
        builder.entrySize = 2
        builder.offsets = (0...200).flatMap { number -> [UInt8] in
            let place = 8 + number * 2
            return [UInt8(place >> 8), UInt8(place & 0xFF)]
        }
        #expect(code(builder.bytes) == .tooDeep)
    }

    @Test(
        "Lengths beyond the list are refused, however large they say they are",
        arguments: [
            [0x5A, 0x61], [0x4E], [0xA5, 0], [0xD2, 0],
            [0x5F, 0x12, 0x80, 0x00, 0x00, 0x00],
            [0x4F, 0x13, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
            [0x6F, 0x13, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
            [0xAF, 0x13, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
            [0xDF, 0x12, 0xFF, 0xFF, 0xFF, 0xFF],
            [0x5F, 0x14], [0x5F, 0x51], [0x5F], [0x13, 0], [0x23, 0], [0x33, 0],
        ] as [[UInt8]])
    func lengths(object: [UInt8]) {
        #expect(code(BinaryBuilder([object]).bytes) == .reference)
    }

    @Test(
        "Types that no profile has are refused",
        arguments: [
            [0x00], [0x0F], [0x01], [0x80, 1], [0xC1, 0], [0x71, 0x61], [0x90], [0xE0], [0xF0],
            [0x15], [0x20, 0], [0x30],
        ] as [[UInt8]])
    func types(object: [UInt8]) {
        #expect(code(BinaryBuilder([object]).bytes) == .unsupportedType)
    }

    @Test("Values that mean nothing are refused")
    func meaningless() {
        #expect(code(BinaryBuilder([[0x23, 0x7F, 0xF0, 0, 0, 0, 0, 0, 0]]).bytes) == .value)
        #expect(code(BinaryBuilder([[0x33, 0x7F, 0xE0, 0, 0, 0, 0, 0, 0]]).bytes) == .value)
        #expect(code(BinaryBuilder([[0x14] + [UInt8](repeating: 1, count: 16)]).bytes) == .value)
        #expect(code(BinaryBuilder([[0x51, 0xFF]]).bytes) == .value)
        #expect(code(BinaryBuilder([[0x61, 0xD8, 0x00]]).bytes) == .notUTF8)
        #expect(code(BinaryBuilder([[0xD1, 1, 1], [0x10, 1]]).bytes) == .unsupportedType)
        #expect(
            code(BinaryBuilder([[0xD2, 1, 1, 2, 2], [0x51, 0x61], [0x09]]).bytes) == .duplicateKey)
    }

    @Test("A trailer that points outside is refused")
    func trailers() {
        var builder = BinaryBuilder([[0x09]])
        builder.root = 1
        #expect(code(builder.bytes) == .reference)
        builder = BinaryBuilder([[0x09]])
        builder.root = .max
        #expect(code(builder.bytes) == .reference)
        builder = BinaryBuilder([[0x09]])
        builder.count = 1 << 31
        #expect(code(builder.bytes) == .reference)
        builder = BinaryBuilder([[0x09]])
        builder.count = .max
        #expect(code(builder.bytes) == .reference)
        builder = BinaryBuilder([[0x09]])
        builder.table = .max
        #expect(code(builder.bytes) == .reference)
        builder = BinaryBuilder([[0x09]])
        builder.table = 3
        #expect(code(builder.bytes) == .reference)
        builder = BinaryBuilder([[0x09]])
        builder.entrySize = 0
        #expect(code(builder.bytes) == .reference)
        builder = BinaryBuilder([[0x09]])
        builder.referenceSize = 9
        #expect(code(builder.bytes) == .reference)
        builder = BinaryBuilder([[0x09]])
        builder.entrySize = 8
        builder.offsets = [UInt8](repeating: 0xFF, count: 8)
        #expect(code(builder.bytes) == .reference)
        builder = BinaryBuilder([[0x09]])
        builder.offsets = [0]
        #expect(code(builder.bytes) == .reference)
        builder = BinaryBuilder([[0xA1, 9], [0x09]])
        #expect(code(builder.bytes) == .reference)
    }

    @Test("Another version, or a list that is cut off, is refused at every length")
    func truncation() {
        #expect(code(Array("bplist15".utf8) + [UInt8](repeating: 0, count: 40)) == .unknownFormat)
        let bytes = BinaryBuilder([[0xD1, 1, 2], [0x51, 0x61], [0xA2, 3, 3], [0x10, 5]]).bytes
        for length in 6..<bytes.count {
            #expect(code(Array(bytes[..<length])) != nil, "\(length) bytes")
        }
    }

    @Test("No flipped bit makes the reader fall")
    func flippedBits() {
        let bytes = BinaryBuilder([[0xD1, 1, 2], [0x51, 0x61], [0xA2, 3, 3], [0x10, 5]]).bytes
        var refusals = 0
        for index in bytes.indices {
            for bit in 0..<8 {
                var changed = bytes
                changed[index] ^= 1 << UInt8(bit)
                if code(changed) != nil { refusals += 1 }
            }
        }
        #expect(refusals > bytes.count)
    }
}
