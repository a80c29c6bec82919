// SPDX-License-Identifier: Apache-2.0

/// Watches the keys of one map as they arrive, for order and for repetition.
struct CBORKeyOrder {
    private let sorted: Bool
    private var previous: ArraySlice<UInt8>?
    private var seen: Set<[UInt8]> = []

    init(_ profile: CBORProfile) { sorted = profile.requiresSortedKeys }

    /// Returns why `key` may not follow, or `nil` if it may.
    mutating func refusal(
        of key: CBORValue, encoded: ArraySlice<UInt8>
    ) -> CBORError.Code? {
        guard sorted else {
            // Two spellings of one key are one key, so what is compared is the canonical spelling.
            return seen.insert(key.encoded()).inserted ? nil : .duplicateKey
        }
        // Floats are ordered by their bits, so NaN has several encodings here too.
        if key.hasSpellings, !seen.insert(key.encoded()).inserted { return .duplicateKey }
        defer { previous = encoded }
        guard let previous else { return nil }
        if previous.elementsEqual(encoded) { return .duplicateKey }
        return CBORKeyOrdering.ctap2.precedes(previous, encoded) ? nil : .unsortedKeys
    }
}

extension CBORValue {
    /// Whether deterministic bytes can still be one of several that mean the same.
    fileprivate var hasSpellings: Bool {
        switch self {
        case .unsigned, .negative, .bytes, .text, .simple: false
        default: true
        }
    }
}

/// The order of map keys of a deterministic encoder, by their encoded bytes.
package enum CBORKeyOrdering: Sendable {
    /// Core deterministic encoding, RFC 8949 section 4.2.1: bytewise.
    case rfc8949
    /// CTAP 2.1 section 8: by major type, then length, then bytewise.
    case ctap2

    /// Whether the encoded key `left` sorts before `right`.
    package func precedes(_ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>) -> Bool {
        if self == .ctap2 {
            let majors = ((left.first ?? 0) >> 5, (right.first ?? 0) >> 5)
            if majors.0 != majors.1 { return majors.0 < majors.1 }
            if left.count != right.count { return left.count < right.count }
        }
        return left.lexicographicallyPrecedes(right)
    }

    /// Whether the key `left` sorts before `right`. Keys as maps mostly have them are not encoded
    /// for it: a greater number, a longer text has the greater head in either order.
    package func precedes(_ left: CBORValue, _ right: CBORValue) -> Bool {
        switch (left, right) {
        case (.unsigned(let left), .unsigned(let right)),
            (.negative(let left), .negative(let right)):
            return left < right
        case (.unsigned, .negative): return true
        case (.negative, .unsigned): return false
        case (.text(let left), .text(let right)):
            let (left, right) = (left.utf8, right.utf8)
            guard left.count == right.count else { return left.count < right.count }
            return left.lexicographicallyPrecedes(right)
        default:
            return precedes(
                left.encoded(ordering: self)[...], right.encoded(ordering: self)[...])
        }
    }
}
