// SPDX-License-Identifier: Apache-2.0
import JOSE

extension StateKey {
    package static func keys<Record>(
        _ fields: [RecordField<Record>], of blank: Record
    ) -> [StateKey] {
        fields.map { field in
            var key = field.form
            if !key.isNeeded {
                key.usual = field.read(blank).flatMap { $0.object == nil ? $0 : nil }
            }
            if key.kinds.isEmpty { key.kinds = kinds(of: field, blank) }
            if key.choices.isEmpty { key.choices = field.words(blank) }
            if key.kinds == ["integer"] {
                key.range = field.range(blank)
                key.isSeconds =
                    field.complaint(about: .integer(.min), blank)?.code == .notSeconds
            }
            if key.members.isEmpty { key.elements = field.elements(blank) }
            key.isClearable = field.complaint(about: .null, blank) == nil
            key.isNonempty = field.complaint(about: "", blank) != nil
            return key
        }
    }

    /// The types that the field accepts: those whose sample is not refused with `wrongKind`. If
    /// these are more than two, only the accepted samples, or else the type of the default.
    private static func kinds<Record>(of field: RecordField<Record>, _ blank: Record) -> [String] {
        let answers = samples.map { ($0.0, field.complaint(about: $0.1, blank)) }
        let taken = answers.filter { $0.1?.code != .wrongKind }.map(\.0)
        guard taken.count > 2 else { return taken }
        let accepted = answers.filter { $0.1 == nil }.map(\.0)
        return accepted.isEmpty ? field.read(blank).map { [kind(of: $0)] } ?? [] : accepted
    }

    private static func kind(of value: JSONValue) -> String {
        switch value {
        case .string: "string"
        case .bool: "boolean"
        case .array: "array"
        case .object: "object"
        default: "integer"
        }
    }

    private static let samples: [(String, JSONValue)] = [
        ("string", "a"), ("boolean", true), ("integer", 1), ("array", []), ("object", [:]),
    ]
}

/// Derives the accepted words, ranges and elements of a field from its issues.
extension RecordField {
    fileprivate func complaint(about value: JSONValue, _ blank: Record) -> ValidationIssue? {
        var record = blank
        return write(value, &record)
    }

    /// A value that is not a word of any field.
    private var noWord: JSONValue { "?" }

    fileprivate func words(_ blank: Record) -> [String] {
        for value in [noWord, [noWord]] {
            let complaint = complaint(about: value, blank).map(\.innermost)
            if complaint?.code == .notOneOf, case .text(let words)? = complaint?.values["choices"] {
                // A value in braces is an object, which `members` describes.
                return words.split(separator: ",").map { $0.drop { $0 == " " } }
                    .filter { !$0.contains("{") && !$0.contains("}") }.map(String.init)
            }
        }
        return []
    }

    fileprivate func range(_ blank: Record) -> ClosedRange<Int64>? {
        guard let values = complaint(about: .integer(.min), blank)?.values,
            case .text(let from)? = values["from"], case .text(let to)? = values["to"],
            let (low, high) = Int64(from).flatMap({ low in Int64(to).map { (low, $0) } }),
            low <= high
        else { return nil }
        return low...high
    }

    fileprivate func elements(_ blank: Record) -> [String] {
        let texts: Set<ValidationIssueCode> = [.notTexts, .notElements, .notShortTexts]
        return [[1], ["a": 1]].contains { (value: JSONValue) in
            complaint(about: value, blank).map { texts.contains($0.innermost.code) } ?? false
        } ? ["string"] : []
    }
}

extension ValidationIssue {
    /// The issue without its location in the value.
    fileprivate var innermost: ValidationIssue {
        guard case .complaint(let complaint)? = values["complaint"] else { return self }
        return complaint.innermost
    }
}
