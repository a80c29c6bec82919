// SPDX-License-Identifier: Apache-2.0
import HTTPServer

/// The labels of a form's fields. The form sends them back in a hidden field, so that the page that
/// confirms an interrupted form displays what the form displayed (``ResumptionPages``).
///
/// They are not authenticated: like the values, they come from the browser of the person who
/// confirms, in a form with a valid token. Fields without a label and fields with secrets are not
/// displayed.
package struct FormLabels: Sendable {
    /// The hidden field.
    package static let field = "field_labels"

    package enum Kind: String, Sendable {
        case text = "t"
        /// A box to tick.
        case flag = "f"
        /// A value of a choice; the name is followed by `=` and the value.
        case option = "o"
        /// Several inputs, whose names begin with that of the field and a period.
        case group = "g"
    }

    package struct Entry: Sendable {
        let kind: Kind
        let name: String
        let label: String

        package init(_ kind: Kind, _ name: String, _ label: String) {
            self.kind = kind
            self.name = name
            self.label = label
        }
    }

    private let entries: [Entry]
    private let options: [String: String]

    /// The value of the hidden field.
    package static func text(_ entries: [Entry]) -> String {
        entries.map {
            "\($0.kind.rawValue)\(FormText.encode($0.name))=\(FormText.encode($0.label))"
        }
        .joined(separator: "&")
    }

    init(_ form: FormParameters) {
        let all = (form[Self.field] ?? "").split(separator: "&").compactMap(Self.entry)
        entries = all.filter { $0.kind != .option }
        options = Dictionary(
            all.filter { $0.kind == .option }.map { ($0.name, $0.label) }
        ) { first, _ in first }
    }

    private static func entry(_ pair: Substring) -> Entry? {
        let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let kind = Kind(rawValue: String(parts[0].prefix(1))),
            let name = try? FormParameters.decode(Array(parts[0].dropFirst().utf8)[...]),
            let label = try? FormParameters.decode(Array(parts[1].utf8)[...]),
            !InterruptedForm.isSecret(name)
        else { return nil }
        return Entry(kind, name, label)
    }

    // MARK: Displayed

    struct Row: Equatable {
        let label: String
        let value: String
    }

    /// The values that are not empty, with their labels, in the order of the form. `nil` if the form
    /// sent no labels, as a script does.
    func rows(of form: FormParameters, in language: Language) -> [Row]? {
        guard !entries.isEmpty else { return nil }
        return entries.flatMap { entry -> [Row] in
            switch entry.kind {
            case .group: group(entry, form, language)
            case .flag:
                form[entry.name] == "1" ? [Row(label: entry.label, value: yes(language))] : []
            case .text, .option: row(entry.name, entry.label, form).map { [$0] } ?? []
            }
        }
    }

    private func row(_ name: String, _ label: String, _ form: FormParameters) -> Row? {
        guard let value = form[name], !value.isEmpty else { return nil }
        return Row(label: label, value: options["\(name)=\(value)"] ?? value)
    }

    private func yes(_ language: Language) -> String { language.text("consoleYes") }

    private func group(_ entry: Entry, _ form: FormParameters, _ language: Language) -> [Row] {
        let start = entry.name + "."
        let choice = form[entry.name].flatMap { Self.values[$0] }
            .map { Row(label: entry.label, value: language.text($0)) }
        let names = form.values.keys.filter { $0.hasPrefix(start) }.sorted()
        return [choice].compactMap { $0 }
            + names.compactMap { name in
                let parts = name.dropFirst(start.count).split(separator: ".")
                    .map { words(String($0), language) }
                return row(name, "\(entry.label) \(parts.joined(separator: " "))", form)
                    .map { inWords($0, language) }
            }
    }

    private func inWords(_ row: Row, _ language: Language) -> Row {
        let text =
            row.value == "1" ? yes(language) : Self.values[row.value].map { language.text($0) }
        return Row(label: row.label, value: text ?? row.value)
    }

    /// Values of choices in groups, as the form displays them.
    private static let values = [
        "everybody": "consoleAccessEverybody", "nobody": "consoleAccessNobody",
        "only": "consoleAccessOnly", "from_groups": "consoleClaimGroups",
        "from_attribute": "consoleClaimAttribute",
    ]

    /// Names of the inputs in groups, as the form labels them.
    private static let keys = [
        "groups": "consoleAccessGroups", "users": "consoleAccessUsers",
        "claim": "consoleClaimName", "in": "consoleClaimIn", "source": "consoleClaimSource",
        "value": "consoleClaimValue", "default": "consoleClaimDefault",
    ]

    private func words(_ part: String, _ language: Language) -> String {
        if let index = Int(part), index < FormParameters.maximumCount { return "\(index + 1)" }
        return Self.keys[part].map { language.text($0) } ?? part
    }
}
