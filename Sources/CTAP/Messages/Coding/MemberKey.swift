// SPDX-License-Identifier: Apache-2.0
import CBOR

/// The key of a member of a CTAP2 map: a small number in messages, text in entities.
enum MemberKey: Sendable, ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
    case number(UInt8)
    case name(String)

    init(integerLiteral value: UInt8) { self = .number(value) }
    init(stringLiteral value: String) { self = .name(value) }

    var cbor: CBORValue {
        switch self {
        case .number(let number): .unsigned(UInt64(number))
        case .name(let name): .text(name)
        }
    }

    /// Whether `key` is this one.
    func names(_ key: CBORValue) -> Bool {
        switch (self, key) {
        case (.number(let number), .unsigned(let other)): UInt64(number) == other
        case (.name(let name), .text(let other)): name == other
        default: false
        }
    }
}
