// SPDX-License-Identifier: Apache-2.0
import JOSE

/// One value of a YAML or JSON document, with the place where it stands.
struct DocumentNode: Sendable, Equatable {
    indirect enum Value: Sendable, Equatable {
        case null
        case bool(Bool)
        case integer(Int64)
        case number(Double)
        case text(String)
        case list([DocumentNode])
        case mapping([Member])
    }

    struct Member: Sendable, Equatable {
        var name: String
        /// Where the name stands.
        var place: Place
        var node: DocumentNode
    }

    /// Lines and columns count from 1.
    struct Place: Sendable, Equatable, CustomStringConvertible {
        var line: Int
        var column: Int

        var description: String { "\(line):\(column)" }
    }

    var value: Value
    var place: Place

    /// Without the places.
    var json: JSONValue {
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

    /// The place of what a path such as `projects[0].clients[1].scope` names, or of the nearest
    /// thing around it.
    func place(of path: String) -> Place {
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

/// Why a document cannot be read.
struct DocumentError: Error, Sendable, Equatable {
    var place: DocumentNode.Place
    var message: String
}
