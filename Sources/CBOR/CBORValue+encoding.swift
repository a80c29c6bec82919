// SPDX-License-Identifier: Apache-2.0

extension CBORValue {
    /// Returns the deterministic encoding (RFC 8949 section 4.2.1): shortest forms, definite
    /// lengths, sorted keys. `ordering` determines the order of keys.
    package func encoded(ordering: CBORKeyOrdering = .rfc8949) -> [UInt8] {
        var output: [UInt8] = []
        // Space for most messages; otherwise memory is allocated at 32, 64, … bytes.
        output.reserveCapacity(128)
        append(to: &output, ordering: ordering)
        return output
    }

    /// Appends the deterministic encoding to `output`.
    package func append(to output: inout [UInt8], ordering: CBORKeyOrdering = .rfc8949) {
        switch self {
        case .unsigned(let number): Self.appendHead(0, number, to: &output)
        case .negative(let number): Self.appendHead(1, number, to: &output)
        case .bytes(let bytes): Self.appendString(2, bytes, to: &output)
        case .indefiniteBytes(let chunks): Self.appendString(2, chunks.joined(), to: &output)
        case .text(let text): Self.appendString(3, text.utf8, to: &output)
        case .indefiniteText(let chunks): Self.appendString(3, chunks.joined().utf8, to: &output)
        case .array(let items), .indefiniteArray(let items):
            Self.appendHead(4, UInt64(items.count), to: &output)
            for item in items { item.append(to: &output, ordering: ordering) }
        case .map(let entries), .indefiniteMap(let entries):
            Self.appendMap(entries, to: &output, ordering: ordering)
        case .tagged(let tag, let content):
            Self.appendHead(6, tag, to: &output)
            content.append(to: &output, ordering: ordering)
        case .simple(let value): Self.appendHead(7, UInt64(value), to: &output)
        case .float(let number): Self.appendFloat(number, to: &output)
        }
    }

    private static func appendHead(_ major: UInt8, _ argument: UInt64, to output: inout [UInt8]) {
        let (information, width): (UInt8, Int) =
            switch argument {
            case 0..<24: (UInt8(argument), 0)
            case ...0xFF: (24, 1)
            case ...0xFFFF: (25, 2)
            case ...0xFFFF_FFFF: (26, 4)
            default: (27, 8)
            }
        output.append(major << 5 | information)
        appendBigEndian(argument, width: width, to: &output)
    }

    private static func appendBigEndian(_ number: UInt64, width: Int, to output: inout [UInt8]) {
        for place in stride(from: width - 1, through: 0, by: -1) {
            output.append(UInt8(truncatingIfNeeded: number >> UInt64(place * 8)))
        }
    }

    private static func appendString(
        _ major: UInt8, _ bytes: some Collection<UInt8>, to output: inout [UInt8]
    ) {
        appendHead(major, UInt64(bytes.count), to: &output)
        output.append(contentsOf: bytes)
    }

    private static func appendMap(
        _ entries: [CBOREntry], to output: inout [UInt8], ordering: CBORKeyOrdering
    ) {
        appendHead(5, UInt64(entries.count), to: &output)
        // By index: an entry that is handed on is held and let go of, and messages are short.
        guard entries.indices.allSatisfy({ entries[$0].key.isNumberOrText }) else {
            return appendSorted(entries, to: &output, ordering: ordering)
        }
        let isSorted = entries.indices.dropFirst().allSatisfy {
            ordering.precedes(entries[$0 - 1].key, entries[$0].key)
        }
        // Most callers supply sorted entries, and decoded ones are sorted.
        let sorted =
            isSorted ? entries : entries.sorted { ordering.precedes($0.key, $1.key) }
        for index in sorted.indices {
            sorted[index].key.append(to: &output, ordering: ordering)
            sorted[index].value.append(to: &output, ordering: ordering)
        }
    }

    /// Entries with keys of any kind, each of which is encoded once: twice, and a map that is the
    /// key of a map, and so on, would take double the time for every level.
    private static func appendSorted(
        _ entries: [CBOREntry], to output: inout [UInt8], ordering: CBORKeyOrdering
    ) {
        let encoded = entries.map { ($0.key.encoded(ordering: ordering), $0.value) }
        for (key, value) in encoded.sorted(by: { ordering.precedes($0.0[...], $1.0[...]) }) {
            output.append(contentsOf: key)
            value.append(to: &output, ordering: ordering)
        }
    }

    /// Whether this is compared as a key without being encoded.
    private var isNumberOrText: Bool {
        switch self {
        case .unsigned, .negative, .text: true
        default: false
        }
    }

    /// Appends the shortest float with the same value (RFC 8949 section 4.2.2); every NaN is
    /// `7e00`.
    private static func appendFloat(_ number: Double, to output: inout [UInt8]) {
        if let half = HalfPrecision.bits(of: number) {
            output.append(0xF9)
            appendBigEndian(UInt64(half), width: 2, to: &output)
        } else if Double(Float(number)) == number {
            output.append(0xFA)
            appendBigEndian(UInt64(Float(number).bitPattern), width: 4, to: &output)
        } else {
            output.append(0xFB)
            appendBigEndian(number.bitPattern, width: 8, to: &output)
        }
    }
}
