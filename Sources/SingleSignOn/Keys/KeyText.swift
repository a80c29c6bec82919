// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives

/// A parser of settings as a person enters them in a terminal: `LoginFrequency=7200`,
/// `LoginPolicy=RequireAuthentication,AllowOfflineGracePeriod`,
/// `AuthorizationGroups=system.print=printers`. The table determines the meaning of the text.
package enum KeyText {
    package enum ParseError: Error, Sendable, Equatable, CustomStringConvertible {
        case noAssignment(String)
        case unknownKey(String, nearest: String?)
        /// Not a value of the key's form.
        case value(String, form: String)
        /// The key is set twice, so its value is ambiguous.
        case repeated(String)

        package var description: String {
            switch self {
            case .noAssignment(let text): "\(text) is not a setting; write KEY=VALUE"
            case .unknownKey(let name, let nearest):
                "there is no key \(name)" + (nearest.map { "; did you mean \($0)?" } ?? "")
            case .value(let name, let form): "\(name) needs \(form)"
            case .repeated(let name): "\(name) is set twice"
            }
        }
    }

    /// Parses several entries with unique keys.
    package static func entries(
        _ assignments: [String], among keys: [KeyDescription]
    ) throws(ParseError) -> [PropertyList.Entry] {
        var entries: [PropertyList.Entry] = []
        for assignment in assignments {
            let entry = try entry(assignment, among: keys)
            guard !entries.contains(where: { $0.name == entry.name }) else {
                throw .repeated(entry.name)
            }
            entries.append(entry)
        }
        return entries
    }

    package static func entry(
        _ assignment: String, among keys: [KeyDescription]
    ) throws(ParseError) -> PropertyList.Entry {
        guard let (name, text) = split(assignment) else { throw .noAssignment(assignment) }
        guard let key = keys.first(where: { $0.name == name }) else {
            throw .unknownKey(name, nearest: SpellingSuggestion.of(name, among: keys.map(\.name)))
        }
        guard let value = value(text, of: key.form) else {
            throw .value(name, form: form(key.form))
        }
        return PropertyList.Entry(name, value)
    }

    /// Parses an entry of `ExtensionData`, whose names an extension defines. The value is text,
    /// except for the names that the Linux agent interprets (docs/agent.md).
    package static func extensionEntry(
        _ assignment: String
    ) throws(ParseError) -> PropertyList.Entry {
        guard let (name, text) = split(assignment) else { throw .noAssignment(assignment) }
        if let range = extensionRanges[name] {
            guard let number = Int64(text), range.contains(number) else {
                throw .value(
                    name, form: "an integer from \(range.lowerBound) to \(range.upperBound)")
            }
            return PropertyList.Entry(name, .integer(number))
        }
        let form = extensionForms[name] ?? .string
        guard let value = value(text, of: form) else {
            throw .value(name, form: self.form(form))
        }
        return PropertyList.Entry(name, value)
    }

    /// The ranges outside of which the agent would use the nearest value.
    private static let extensionRanges: [String: ClosedRange<Int64>] = [
        "user_key_pin": 4...16, "key_rotation": 1...3650,
    ]
    private static let extensionForms: [String: KeyForm] = [
        "key_stores": .list(.choice([.init("tpm"), .init("pkcs11"), .init("file")]))
    ]

    private static func split(_ assignment: some StringProtocol) -> (String, String)? {
        guard let sign = assignment.firstIndex(of: "="), sign > assignment.startIndex else {
            return nil
        }
        return (
            String(assignment[..<sign]), String(assignment[assignment.index(after: sign)...])
        )
    }

    private static func value(_ text: String, of form: KeyForm) -> PropertyList? {
        switch form {
        case .string, .anything: return .string(text)
        case .choice(let choices):
            return choices.contains { $0.value == text } ? .string(text) : nil
        case .boolean: return text == "true" ? true : text == "false" ? false : nil
        case .integer(let least):
            guard let number = Int64(text), number >= least ?? .min else { return nil }
            return .integer(number)
        case .real: return Double(text).flatMap { $0.isFinite ? .real($0) : nil }
        case .date: return Timestamp(rfc3339: text).map { .date($0) }
        case .data: return Base64.decode(text).map { .data($0) }
        case .list(let form):
            return all(parts(of: text).map { value($0, of: form) })
                .map { .array($0) }
        case .map(let form):
            return dictionary(parts(of: text).map { entry($0) { _ in form } })
        case .dictionary(let keys):
            let forms = { name in keys.first { $0.name == name }?.form }
            return dictionary(parts(of: text).map { entry($0, form: forms) })
        }
    }

    /// Also `nil` if a name occurs twice.
    private static func dictionary(_ entries: [PropertyList.Entry?]) -> PropertyList? {
        guard let entries = all(entries), Set(entries.map(\.name)).count == entries.count else {
            return nil
        }
        return .dictionary(entries)
    }

    private static func entry(
        _ assignment: String, form: (String) -> KeyForm?
    ) -> PropertyList.Entry? {
        guard let (name, text) = split(assignment), let form = form(name) else { return nil }
        return value(text, of: form).map { PropertyList.Entry(name, $0) }
    }

    private static func parts(of text: String) -> [String] {
        text.split(separator: ",").map(String.init)
    }

    /// Returns `nil` if one of the values is `nil`.
    private static func all<Element>(_ values: [Element?]) -> [Element]? {
        let known = values.compactMap(\.self)
        return known.count == values.count ? known : nil
    }

    /// Returns the accepted form, for the error.
    private static func form(_ form: KeyForm) -> String {
        switch form {
        case .choice(let choices): "one of " + choices.map(\.value).joined(separator: ", ")
        case .boolean: "true or false"
        case .integer(let least?): "an integer from \(least)"
        case .data: "base64"
        case .list(let element): "a list between commas, each \(self.form(element))"
        case .map, .dictionary: "NAME=VALUE, several between commas, each name once"
        default: "a value of type \(form.name)"
        }
    }
}
