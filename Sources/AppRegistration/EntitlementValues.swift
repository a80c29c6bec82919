// SPDX-License-Identifier: Apache-2.0
package import JOSE

/// The entitlements of a person: the claim `entitlements`.
package struct EntitlementValues: Sendable, Equatable {
    package enum Value: Sendable, Equatable {
        case flag(Bool)
        /// An amount of zero or more.
        case amount(Int64)
    }

    package private(set) var values: [String: Value]

    package init(_ values: [String: Value] = [:]) { self.values = values }

    /// The maximum number of entitlements of one set or person.
    package static let maximumCount = 200
    /// The maximum integer that JSON represents exactly everywhere (RFC 8259 section 6).
    package static let greatestAmount: Int64 = 9_007_199_254_740_991

    package enum ParseError: Error, Equatable {
        case tooMany
        case name(String)
        case value(String)
    }

    /// Reads `{"NAME": true | false | NUMBER}`.
    package init(_ object: JSONObject) throws(ParseError) {
        guard object.members.count <= Self.maximumCount else { throw .tooMany }
        values = [:]
        for member in object.members {
            guard Self.isName(member.name) else { throw .name(member.name) }
            switch member.value {
            case .bool(let flag): values[member.name] = .flag(flag)
            case .integer(let amount) where (0...Self.greatestAmount).contains(amount):
                values[member.name] = .amount(amount)
            default: throw .value(member.name)
            }
        }
    }

    /// In order of name.
    package var json: JSONObject {
        JSONObject(
            values.sorted { $0.key < $1.key }.map { name, value in
                switch value {
                case .flag(let flag): .init(name: name, value: .bool(flag))
                case .amount(let amount): .init(name: name, value: .integer(amount))
                }
            })
    }

    /// Returns the entitlements merged with those of `other`, which have precedence.
    package func overlaid(by other: EntitlementValues) -> EntitlementValues {
        EntitlementValues(values.merging(other.values) { $1 })
    }

    /// Whether a name consists of 1 to 128 ASCII alphanumerics and `. _ : -`.
    package static func isName(_ name: String) -> Bool {
        (1...128).contains(name.utf8.count)
            && name.utf8.allSatisfy { letter in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter | 0x20)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(letter)
                    || "._:-".utf8.contains(letter)
            }
    }
}
