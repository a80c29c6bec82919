// SPDX-License-Identifier: Apache-2.0
package import JOSE

extension RecordField {
    /// An object in the record. Keys that are not in a value get their defaults.
    package static func part<Part>(
        _ name: String, _ path: any (WritableKeyPath<Record, Part> & Sendable),
        blank: @escaping @Sendable () -> Part, fields: [RecordField<Part>],
        complaint: @escaping @Sendable (Part) -> ValidationIssue? = { _ in nil }
    ) -> RecordField {
        RecordField(name: name, fields, of: blank()) { old, new in
            RecordField<Part>.impersonating(
                fields, from: old[keyPath: path], to: new[keyPath: path])
        } read: {
            .object(RecordField<Part>.object(fields, of: $0[keyPath: path]))
        } write: { value, record in
            var part = blank()
            if let complaint = RecordField<Part>.read(value, into: &part, fields: fields) {
                return complaint
            }
            if let complaint = complaint(part) { return complaint }
            record[keyPath: path] = part
            return nil
        }
    }

    /// A list of objects in the record, each with a unique name.
    package static func parts<Part>(
        _ name: String, _ path: any (WritableKeyPath<Record, [Part]> & Sendable),
        blank: @escaping @Sendable () -> Part, fields: [RecordField<Part>],
        named key: any (KeyPath<Part, String> & Sendable),
        complaint: @escaping @Sendable (Part) -> ValidationIssue? = { _ in nil }
    ) -> RecordField {
        RecordField(name: name, fields, of: blank()) { old, new in
            RecordField<Part>.impersonating(
                fields, from: old[keyPath: path], to: new[keyPath: path], named: key, blank: blank)
        } read: {
            .array($0[keyPath: path].map { .object(RecordField<Part>.object(fields, of: $0)) })
        } write: { value, record in
            guard let elements = value.array, elements.count <= TextRules.maximumElements else {
                return ValidationIssue(.notMappings, ["most": "\(TextRules.maximumElements)"])
            }
            var parts: [Part] = []
            for (index, element) in elements.enumerated() {
                var part = blank()
                if let complaint = RecordField<Part>.read(element, into: &part, fields: fields)
                    ?? complaint(part)
                {
                    return complaint.ofElement(index, named: part[keyPath: key])
                }
                let name = part[keyPath: key]
                guard !parts.contains(where: { $0[keyPath: key] == name }) else {
                    return ValidationIssue(
                        .elementTwice,
                        ["index": ValidationIssue.position(index), "name": .text(name)])
                }
                parts.append(part)
            }
            record[keyPath: path] = parts
            return nil
        }
    }

    /// The nested keys declare their effects.
    private init<Part>(
        name: String, _ fields: [RecordField<Part>], of blank: Part,
        impersonating: @escaping @Sendable (Record, Record) -> [String],
        read: @escaping @Sendable (Record) -> JSONValue?,
        write: @escaping @Sendable (JSONValue, inout Record) -> ValidationIssue?
    ) {
        self.name = name
        self.read = read
        self.write = write
        form = StateKey(name, [])
        form.members = StateKey.keys(fields, of: blank)
        effects = fields.flatMap(\.effects).map { $0.within(name) }
        self.impersonating = { impersonating($0, $1).map { "\(name).\($0)" } }
    }

    /// Parses an object into the record, or returns its issue.
    private static func read(
        _ value: JSONValue, into record: inout Record, fields: [RecordField]
    ) -> ValidationIssue? {
        guard let object = value.object else {
            return .wrongKind(value, wanted: .wordNamedValues)
        }
        for member in object.members {
            guard let field = fields.first(where: { $0.name == member.name }) else {
                return ValidationIssue.unknownKey(member.name, among: fields.map(\.name))
                    .of(member.name)
            }
            if let complaint = field.write(member.value, &record) {
                return complaint.of(member.name)
            }
        }
        return nil
    }

    /// All keys that have a value.
    package static func object(_ fields: [RecordField], of record: Record) -> JSONObject {
        JSONObject(
            fields.compactMap { field in
                field.read(record).map { JSONObject.Member(name: field.name, value: $0) }
            })
    }
}
