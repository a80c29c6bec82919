// SPDX-License-Identifier: Apache-2.0

extension CBORValue {
    /// Decodes the one data item of `bytes`, without trailing data.
    package static func decode(
        _ bytes: ArraySlice<UInt8>, profile: CBORProfile
    ) throws(CBORError) -> CBORValue {
        let (value, rest) = try decodePrefix(bytes, profile: profile)
        guard rest.isEmpty else {
            throw CBORError(.trailingBytes, at: rest.startIndex - bytes.startIndex)
        }
        return value
    }

    /// Decodes the one data item of `bytes`, without trailing data.
    package static func decode(
        _ bytes: [UInt8], profile: CBORProfile
    ) throws(CBORError) -> CBORValue {
        try decode(bytes[...], profile: profile)
    }

    /// The data item at the start of `bytes`, and what follows it.
    package static func decodePrefix(
        _ bytes: ArraySlice<UInt8>, profile: CBORProfile
    ) throws(CBORError) -> (value: CBORValue, rest: ArraySlice<UInt8>) {
        var decoder = CBORDecoder(bytes, profile: profile)
        guard bytes.count <= profile.maximumSize else { throw CBORError(.tooLarge, at: 0) }
        let value = try decoder.item(depth: 0)
        return (value, decoder.rest)
    }
}

/// A decoder of data items from the front of a slice (RFC 8949 appendix C), never past its end.
///
/// Recursion is bounded by ``CBORProfile/maximumDepth``; space is reserved only for as many items
/// as the remaining bytes can encode.
struct CBORDecoder {
    let input: ArraySlice<UInt8>
    let profile: CBORProfile
    var index: Int
    private var itemsLeft: Int

    init(_ input: ArraySlice<UInt8>, profile: CBORProfile) {
        self.input = input
        self.profile = profile
        index = input.startIndex
        itemsLeft = profile.maximumItems
    }

    var rest: ArraySlice<UInt8> { input[index...] }

    private var remaining: Int { input.endIndex - index }

    func error(_ code: CBORError.Code) -> CBORError {
        CBORError(code, at: index - input.startIndex)
    }

    mutating func item(depth: Int) throws(CBORError) -> CBORValue {
        guard itemsLeft > 0 else { throw error(.tooManyItems) }
        itemsLeft -= 1
        let head = try head()
        switch head.major {
        case 0: return .unsigned(try number(of: head))
        case 1: return .negative(try number(of: head))
        case 2: return try byteString(head)
        case 3: return try textString(head)
        case 4: return try array(head, depth: try deeper(depth))
        case 5: return try map(head, depth: try deeper(depth))
        case 6: return try tagged(head, depth: depth)
        default: return try simpleOrFloat(head)
        }
    }

    private func deeper(_ depth: Int) throws(CBORError) -> Int {
        guard depth < profile.maximumDepth else { throw error(.tooDeep) }
        return depth + 1
    }

    // MARK: Heads

    /// The initial byte with its argument: `nil` is an indefinite length or a break.
    struct Head {
        let major: UInt8
        let information: UInt8
        let argument: UInt64?
    }

    private mutating func head() throws(CBORError) -> Head {
        guard index < input.endIndex else { throw error(.truncated) }
        let initial = input[index]
        let (major, information) = (initial >> 5, initial & 0x1F)
        switch information {
        case 0..<24:
            index += 1
            return Head(major: major, information: information, argument: UInt64(information))
        case 24...27:
            let argument = try argument(width: 1 << Int(information - 24), major: major)
            return Head(major: major, information: information, argument: argument)
        case 31:
            return try indefiniteHead(major)
        default:
            throw error(.reservedInformation)
        }
    }

    private mutating func argument(width: Int, major: UInt8) throws(CBORError) -> UInt64 {
        guard remaining > width else { throw error(.truncated) }
        var value: UInt64 = 0
        for byte in input[(index + 1)..<(index + 1 + width)] { value = value << 8 | UInt64(byte) }
        // Major type 7 contains simple values and floats, whose width is part of their meaning.
        if profile.requiresShortestForm, major != 7 {
            let least: UInt64 = width == 1 ? 24 : 1 << UInt64(width * 4)
            guard value >= least else { throw error(.notShortest) }
        }
        index += 1 + width
        return value
    }

    private mutating func indefiniteHead(_ major: UInt8) throws(CBORError) -> Head {
        switch major {
        case 2...5:
            guard profile.allowsIndefiniteLength else { throw error(.indefiniteLength) }
        case 7: throw error(.unexpectedBreak)
        default: throw error(.reservedInformation)
        }
        index += 1
        return Head(major: major, information: 31, argument: nil)
    }

    private func number(of head: Head) throws(CBORError) -> UInt64 {
        guard let number = head.argument else { throw error(.reservedInformation) }
        return number
    }

    /// Consumes a break code, if one is next.
    private mutating func breakFollows() throws(CBORError) -> Bool {
        guard index < input.endIndex else { throw error(.truncated) }
        guard input[index] == 0xFF else { return false }
        index += 1
        return true
    }

    // MARK: Strings

    private mutating func content(_ length: UInt64) throws(CBORError) -> ArraySlice<UInt8> {
        guard length <= UInt64(remaining) else { throw error(.truncated) }
        let end = index + Int(length)
        defer { index = end }
        return input[index..<end]
    }

    private mutating func text(_ length: UInt64) throws(CBORError) -> String {
        let start = error(.invalidText)
        let bytes = try content(length)
        let text = bytes.withUnsafeBufferPointer { bytes in
            // ASCII, as almost always, needs no validation.
            for byte in bytes where byte >= 0x80 { return String(validating: bytes, as: UTF8.self) }
            return String(decoding: bytes, as: UTF8.self)
        }
        guard let text else { throw start }
        return text
    }

    private mutating func byteString(_ head: Head) throws(CBORError) -> CBORValue {
        if let length = head.argument { return .bytes(try content(length)) }
        var chunks: [ArraySlice<UInt8>] = []
        while try !breakFollows() { chunks.append(try content(try chunkLength(of: 2))) }
        return .indefiniteBytes(chunks)
    }

    private mutating func textString(_ head: Head) throws(CBORError) -> CBORValue {
        if let length = head.argument { return .text(try text(length)) }
        var chunks: [String] = []
        while try !breakFollows() { chunks.append(try text(try chunkLength(of: 3))) }
        return .indefiniteText(chunks)
    }

    private mutating func chunkLength(of major: UInt8) throws(CBORError) -> UInt64 {
        guard itemsLeft > 0 else { throw error(.tooManyItems) }
        itemsLeft -= 1
        let start = error(.invalidChunk)
        let head = try head()
        guard head.major == major, let length = head.argument else { throw start }
        return length
    }

    // MARK: Arrays, maps, tags

    private mutating func array(_ head: Head, depth: Int) throws(CBORError) -> CBORValue {
        var items: [CBORValue] = []
        guard let count = head.argument else {
            while try !breakFollows() { items.append(try item(depth: depth)) }
            return .indefiniteArray(items)
        }
        guard count <= UInt64(remaining) else { throw error(.truncated) }
        items.reserveCapacity(min(Int(count), 64))
        for _ in 0..<count { items.append(try item(depth: depth)) }
        return .array(items)
    }

    private mutating func map(_ head: Head, depth: Int) throws(CBORError) -> CBORValue {
        var entries: [CBOREntry] = []
        var keys = CBORKeyOrder(profile)
        guard let count = head.argument else {
            while try !breakFollows() { entries.append(try entry(depth: depth, keys: &keys)) }
            return .indefiniteMap(entries)
        }
        guard count <= UInt64(remaining / 2) else { throw error(.truncated) }
        entries.reserveCapacity(min(Int(count), 32))
        for _ in 0..<count { entries.append(try entry(depth: depth, keys: &keys)) }
        return .map(entries)
    }

    private mutating func entry(
        depth: Int, keys: inout CBORKeyOrder
    ) throws(CBORError) -> CBOREntry {
        let start = index
        let key = try item(depth: depth)
        if let code = keys.refusal(of: key, encoded: input[start..<index]) {
            throw CBORError(code, at: start - input.startIndex)
        }
        return CBOREntry(key, try item(depth: depth))
    }

    private mutating func tagged(_ head: Head, depth: Int) throws(CBORError) -> CBORValue {
        guard profile.allowsTags else { throw error(.tagNotAllowed) }
        return .tagged(try number(of: head), try item(depth: try deeper(depth)))
    }

    // MARK: Major type 7

    private func simpleOrFloat(_ head: Head) throws(CBORError) -> CBORValue {
        let bits = try number(of: head)
        switch head.information {
        case 0..<24: return .simple(head.information)
        case 24:
            guard bits >= 32 else { throw error(.invalidSimpleValue) }
            return .simple(UInt8(truncatingIfNeeded: bits))
        case 25: return .float(HalfPrecision.double(from: UInt16(truncatingIfNeeded: bits)))
        case 26: return .float(Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits))))
        default: return .float(Double(bitPattern: bits))
        }
    }
}
