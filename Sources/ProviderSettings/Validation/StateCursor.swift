// SPDX-License-Identifier: Apache-2.0
package import JOSE

/// Parses a state document step by step and collects the issues.
package struct StateCursor {
    package private(set) var problems: [LocatedValidationIssue] = []

    package init(problems: [LocatedValidationIssue] = []) {
        self.problems = problems
    }

    package mutating func refuse(_ path: String, _ complaint: ValidationIssue) {
        guard problems.count < StateDocumentError.maximumIssues else { return }
        problems.append(LocatedValidationIssue(path: path, complaint))
    }

    package mutating func object(_ value: JSONValue, at path: String) -> JSONObject? {
        if let object = value.object { return object }
        refuse(path, .wrongKind(value, wanted: .wordNamedValues))
        return nil
    }

    /// The elements of a list. An absent list and null are empty.
    package mutating func list(_ value: JSONValue?, at path: String) -> [JSONValue] {
        guard let value, value != .null else { return [] }
        if let elements = value.array { return elements }
        refuse(path, .wrongKind(value, wanted: .wordList))
        return []
    }

    package mutating func text(_ value: JSONValue, at path: String) -> String? {
        if let text = value.string { return text }
        refuse(path, .wrongKind(value, wanted: .wordText))
        return nil
    }

    /// Writes the members of `object` to `record`. Unknown members are refused, except `others`,
    /// which the caller reads.
    package mutating func read<Record>(
        _ object: JSONObject, at path: String, into record: inout Record,
        fields: [RecordField<Record>], others: [String] = []
    ) {
        for member in object.members where !others.contains(member.name) {
            let place = path.isEmpty ? member.name : "\(path).\(member.name)"
            guard let field = fields.first(where: { $0.name == member.name }) else {
                let names = fields.map(\.name) + others
                refuse(place, .unknownKey(member.name, among: names))
                continue
            }
            if let complaint = field.write(member.value, &record) { refuse(place, complaint) }
        }
    }
}

extension JSONValue {
    /// The type for a message.
    package var kind: String {
        switch self {
        case .null: "empty"
        case .bool: "true or false"
        case .integer, .number: "a number"
        case .string: "text"
        case .array: "a list"
        case .object: "a mapping"
        }
    }
}
