// SPDX-License-Identifier: Apache-2.0
package import JOSE

/// One value of a YAML or JSON document with its location.
package struct DocumentNode: Sendable, Equatable {
    package indirect enum Value: Sendable, Equatable {
        case null
        case bool(Bool)
        case integer(Int64)
        case number(Double)
        case text(String)
        case list([DocumentNode])
        case mapping([Member])
    }

    package struct Member: Sendable, Equatable {
        package var name: String
        /// The location of the name.
        package var place: Position
        package var node: DocumentNode
    }

    /// Lines and columns count from 1.
    package struct Position: Sendable, Equatable, CustomStringConvertible {
        package var line: Int
        package var column: Int

        package var description: String { "\(line):\(column)" }
    }

    package var value: Value
    package var place: Position

    /// Without the places.
    package var json: JSONValue {
        switch value {
        case .null: .null
        case .bool(let value): .bool(value)
        case .integer(let value): .integer(value)
        case .number(let value): .number(value)
        case .text(let value): .string(value)
        case .list(let nodes): .array(nodes.map(\.json))
        case .mapping(let members):
            .object(
                JSONObject(
                    members.map { JSONObject.Member(name: $0.name, value: $0.node.json) }))
        }
    }

    /// Returns the location of a path such as `projects[0].clients[1].scope`, or of the nearest
    /// enclosing value.
    package func place(of path: String) -> Position {
        var node = self
        var found = place
        for step in path.split(whereSeparator: { ".[]".contains($0) }) {
            switch node.value {
            case .list(let nodes):
                guard let index = Int(step), nodes.indices.contains(index) else { return found }
                node = nodes[index]
                found = node.place
            case .mapping(let members):
                guard let member = members.first(where: { $0.name == step }) else { return found }
                node = member.node
                found = member.place
            default: return found
            }
        }
        return found
    }
}
