// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// A value of a property list (plist(5)). Dictionaries preserve the order of their entries.
package enum PropertyList: Sendable, Hashable {
    case string(String)
    case integer(Int64)
    case real(Double)
    case boolean(Bool)
    case date(Timestamp)
    case data([UInt8])
    case array([PropertyList])
    case dictionary([Entry])

    package struct Entry: Sendable, Hashable {
        package var name: String
        package var value: PropertyList

        package init(_ name: String, _ value: PropertyList) {
            self.name = name
            self.value = value
        }
    }

    /// Returns the entry of that name, if this is a dictionary with it.
    package subscript(name: String) -> PropertyList? {
        guard case .dictionary(let entries) = self else { return nil }
        return entries.first { $0.name == name }?.value
    }

    package var string: String? {
        if case .string(let value) = self { value } else { nil }
    }

    package var integer: Int64? {
        if case .integer(let value) = self { value } else { nil }
    }

    package var boolean: Bool? {
        if case .boolean(let value) = self { value } else { nil }
    }

    package var array: [PropertyList]? {
        if case .array(let values) = self { values } else { nil }
    }

    package var entries: [Entry]? {
        if case .dictionary(let entries) = self { entries } else { nil }
    }
}

extension PropertyList: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    package init(stringLiteral value: String) { self = .string(value) }
    package init(integerLiteral value: Int64) { self = .integer(value) }
    package init(booleanLiteral value: Bool) { self = .boolean(value) }
    package init(arrayLiteral elements: PropertyList...) { self = .array(elements) }
    package init(dictionaryLiteral elements: (String, PropertyList)...) {
        self = .dictionary(elements.map { Entry($0, $1) })
    }
}
