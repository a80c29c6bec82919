// SPDX-License-Identifier: Apache-2.0

/// Scope values in the order they were named, each once (RFC 6749 section 3.3).
package struct ScopeSet: Sendable, Equatable {
    package private(set) var values: [String]

    /// - Parameter text: Scope values separated by spaces.
    /// - Returns: `nil` if a character is not allowed in a scope-token, or there are more than 64
    ///   values.
    package init?(_ text: String) {
        var values: [String] = []
        for part in text.utf8.split(separator: UInt8(ascii: " ")) {
            guard part.allSatisfy(Self.isScopeLetter), values.count < 64 else { return nil }
            let value = String(decoding: part, as: UTF8.self)
            if !values.contains(value) { values.append(value) }
        }
        self.values = values
    }

    package init(_ values: [String] = []) { self.values = values }

    package var isEmpty: Bool { values.isEmpty }

    /// The values separated by single spaces.
    package var text: String { values.joined(separator: " ") }

    package func contains(_ value: String) -> Bool { values.contains(value) }

    package func isSubset(of other: ScopeSet) -> Bool {
        values.allSatisfy { other.contains($0) }
    }

    /// Those that `other` has too, in this order.
    package func intersection(_ other: ScopeSet) -> ScopeSet {
        ScopeSet(values.filter { other.contains($0) })
    }

    package func subtracting(_ other: ScopeSet) -> ScopeSet {
        ScopeSet(values.filter { !other.contains($0) })
    }

    package func union(_ other: ScopeSet) -> ScopeSet {
        ScopeSet(values + other.values.filter { !values.contains($0) })
    }

    /// Whether both contain the same values in any order.
    package static func == (left: ScopeSet, right: ScopeSet) -> Bool {
        left.values.count == right.values.count && left.isSubset(of: right)
    }

    /// Values that speak of a person: a client acting for itself never has them.
    package static let personal = ScopeSet([
        "openid", "profile", "email", "phone", "address", "groups", "offline_access",
        "registration", "entitlements",
    ])

    /// scope-token = 1*( %x21 / %x23-5B / %x5D-7E )
    private static func isScopeLetter(_ byte: UInt8) -> Bool {
        byte == 0x21 || (0x23...0x5B).contains(byte) || (0x5D...0x7E).contains(byte)
    }
}
