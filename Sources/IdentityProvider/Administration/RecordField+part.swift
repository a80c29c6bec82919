// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives

extension RecordField {
    static func number(
        _ name: String, _ path: any (WritableKeyPath<Record, Int64> & Sendable),
        in range: ClosedRange<Int64>
    ) -> RecordField {
        RecordField(name: name) {
            .integer($0[keyPath: path])
        } write: {
            guard let value = $0.integer, range.contains(value) else {
                return "must be a whole number from \(range.lowerBound) to \(range.upperBound)"
            }
            $1[keyPath: path] = value
            return nil
        }
    }

    /// A mapping within the record. What it does not mention takes its default.
    static func part<Part>(
        _ name: String, _ path: any (WritableKeyPath<Record, Part> & Sendable),
        blank: @escaping @Sendable () -> Part, fields: [RecordField<Part>],
        complaint: @escaping @Sendable (Part) -> String? = { _ in nil }
    ) -> RecordField {
        RecordField(name: name) {
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

    /// A list of mappings within the record, each with a name of its own.
    static func parts<Part>(
        _ name: String, _ path: any (WritableKeyPath<Record, [Part]> & Sendable),
        blank: @escaping @Sendable () -> Part, fields: [RecordField<Part>],
        named key: any (KeyPath<Part, String> & Sendable),
        complaint: @escaping @Sendable (Part) -> String? = { _ in nil }
    ) -> RecordField {
        RecordField(name: name) {
            .array($0[keyPath: path].map { .object(RecordField<Part>.object(fields, of: $0)) })
        } write: { value, record in
            guard let elements = value.array, elements.count <= TextRules.mostElements else {
                return "must be a list of at most \(TextRules.mostElements) mappings"
            }
            var parts: [Part] = []
            for (index, element) in elements.enumerated() {
                var part = blank()
                if let complaint = RecordField<Part>.read(element, into: &part, fields: fields)
                    ?? complaint(part)
                {
                    return "element \(index): \(complaint)"
                }
                guard !parts.contains(where: { $0[keyPath: key] == part[keyPath: key] }) else {
                    return "element \(index) names \"\(part[keyPath: key])\" for the second time"
                }
                parts.append(part)
            }
            record[keyPath: path] = parts
            return nil
        }
    }

    /// What is wrong with the mapping, or nothing.
    private static func read(
        _ value: JSONValue, into record: inout Record, fields: [RecordField]
    ) -> String? {
        guard let object = value.object else {
            return "is \(value.kind); it must be a mapping of names to values"
        }
        for member in object.members {
            guard let field = fields.first(where: { $0.name == member.name }) else {
                return "\(member.name) is not a key that is known here"
                    + NearestName.hint(for: member.name, among: fields.map(\.name))
            }
            if let complaint = field.write(member.value, &record) {
                return "\(member.name) \(complaint)"
            }
        }
        return nil
    }
}
