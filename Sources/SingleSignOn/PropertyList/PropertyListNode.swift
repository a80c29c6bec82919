// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// A value of a property list with its offset.
package struct PropertyListNode: Sendable, Equatable {
    package indirect enum Value: Sendable, Equatable {
        case string(String)
        case integer(Int64)
        case real(Double)
        case boolean(Bool)
        case date(Timestamp)
        case data([UInt8])
        case array([PropertyListNode])
        case dictionary([Member])
    }

    package struct Member: Sendable, Equatable {
        package var name: String
        /// The offset of the name, in bytes.
        package var offset: Int
        package var node: PropertyListNode
    }

    package var value: Value
    /// The offset of the value, in bytes.
    package var offset: Int

    package init(_ value: Value, at offset: Int) {
        self.value = value
        self.offset = offset
    }

    package var members: [Member]? {
        if case .dictionary(let members) = value { members } else { nil }
    }

    package var elements: [PropertyListNode]? {
        if case .array(let nodes) = value { nodes } else { nil }
    }

    package var string: String? {
        if case .string(let text) = value { text } else { nil }
    }

    package subscript(name: String) -> PropertyListNode? { member(name)?.node }

    package func member(_ name: String) -> Member? { members?.first { $0.name == name } }

    /// The value without offsets.
    package var propertyList: PropertyList {
        switch value {
        case .string(let value): .string(value)
        case .integer(let value): .integer(value)
        case .real(let value): .real(value)
        case .boolean(let value): .boolean(value)
        case .date(let value): .date(value)
        case .data(let value): .data(value)
        case .array(let nodes): .array(nodes.map(\.propertyList))
        case .dictionary(let members):
            .dictionary(members.map { PropertyList.Entry($0.name, $0.node.propertyList) })
        }
    }

    /// The name of its type for people.
    package var typeName: String {
        switch value {
        case .string: "string"
        case .integer: "integer"
        case .real: "real"
        case .boolean: "boolean"
        case .date: "date"
        case .data: "data"
        case .array: "array"
        case .dictionary: "dictionary"
        }
    }
}
