// SPDX-License-Identifier: Apache-2.0
import ProviderAdministration
import WebPages

/// A form of the console: fields in a row, one button.
struct ConsoleForm {
    enum Weight { case plain, quiet, danger }

    var action: String
    var button: String
    var weight = Weight.plain
    /// Whether the form is a search (GET): its fields become the query of the URL.
    var isQuestion = false
    var hint = ""
    var inputs: [ConsoleInput] = []
    /// For automation.
    var name: String

    init(
        _ name: String, to action: String, button: String, weight: Weight = .plain,
        isQuestion: Bool = false, hint: String = "", inputs: [ConsoleInput] = []
    ) {
        self.name = name
        self.action = action
        self.button = button
        self.weight = weight
        self.isQuestion = isQuestion
        self.hint = hint
        self.inputs = inputs
    }

    var values: [String: Any] {
        [
            "name": name, "action": action, "button": button, "isQuiet": weight == .quiet,
            "isDanger": weight == .danger, "isQuestion": isQuestion,
            "explanation": hint.isEmpty ? false as Any : hint,
            "hasInputs": inputs.contains { !$0.isHidden },
            "inputs": (inputs + labels).map { $0.values(in: name) },
        ]
    }

    /// The labels, for the page that confirms the form after a sign-in.
    private var labels: [ConsoleInput] {
        let entries = inputs.flatMap(\.labels)
        guard !isQuestion, !entries.isEmpty else { return [] }
        return [ConsoleInput(FormLabels.field, "", .hidden, value: FormLabels.text(entries))]
    }
}

struct ConsoleInput {
    enum Kind {
        case text, hidden, flag
        /// Several lines.
        case area
        /// Values with what people read.
        case choice([(value: String, label: String)])
        /// Boxes to tick; the value has a line for each that is.
        case boxes([(value: String, label: String)])
        case access(ClientAccessInput)
        case claims(ClientClaimsInput)
    }

    var name: String
    var label: String
    var kind = Kind.text
    var value: String
    var hint: String
    var isRequired: Bool
    var limit: Int
    /// Whether the value is never displayed, not even after the form was refused.
    var isSecret = false
    /// The issue of the submitted value; empty if there is none.
    var wrong = ""

    init(
        _ name: String, _ label: String, _ kind: Kind = .text, value: String = "",
        hint: String = "", isRequired: Bool = false, limit: Int = 256
    ) {
        self.name = name
        self.label = label
        self.kind = kind
        self.value = value
        self.hint = hint
        self.isRequired = isRequired
        self.limit = limit
    }

    /// The input with the issue of its value, if the refusal has one.
    func marked(
        by refusal: AdministrativeRefusal?, _ console: ConsoleContext
    ) -> ConsoleInput {
        var input = self
        input.wrong = refusal?.complaint(about: name).map(console.text) ?? ""
        return input
    }

    var isHidden: Bool {
        if case .hidden = kind { true } else { false }
    }

    fileprivate var labels: [FormLabels.Entry] {
        guard !isSecret else { return [] }
        return switch kind {
        case .hidden: []
        case .text, .area: [FormLabels.Entry(.text, name, label)]
        case .flag: [FormLabels.Entry(.flag, name, label)]
        case .choice(let choices):
            [FormLabels.Entry(.text, name, label)]
                + choices.map { FormLabels.Entry(.option, "\(name)=\($0.value)", $0.label) }
        case .boxes(let boxes):
            boxes.map { FormLabels.Entry(.flag, "\(name).\($0.value)", "\(label): \($0.label)") }
        case .access, .claims: [FormLabels.Entry(.group, name, label)]
        }
    }

    /// - Parameter form: The name of the form, which makes the field's `id` unique in the page.
    func values(in form: String) -> [String: Any] {
        let id = "\(form)-\(name)"
        let notes = [(wrong, "wrong"), (hint, "help")].filter { !$0.0.isEmpty }
            .map { "\(id)-\($0.1)" }
        var values: [String: Any] = [
            "id": id, "field": name, "wrong": wrong.isEmpty ? false as Any : wrong,
            "notes": notes.isEmpty ? false as Any : notes.joined(separator: " "), "label": label,
            "value": value,
            "help": hint.isEmpty ? false as Any : hint, "isRequired": isRequired, "limit": limit,
            "isText": false, "isHidden": false, "isFlag": false, "isArea": false,
            "choices": false, "boxes": false, "access": false, "claims": false,
            "isGroup": false, "isChecked": value == "1",
        ]
        switch kind {
        case .text: values["isText"] = true
        case .hidden: values["isHidden"] = true
        case .flag: values["isFlag"] = true
        case .area: values["isArea"] = true
        case .choice(let choices): values["choices"] = Self.all(choices) { $0 == value }
        case .boxes(let boxes):
            let ticked = ConsoleField.lines(value)
            let others = ticked.filter { one in !boxes.contains { $0.value == one } }
            values["boxes"] = Self.all(boxes + others.map { ($0, $0) }, isChosen: ticked.contains)
            values["isGroup"] = true
        case .access(let access): (values["access"], values["isGroup"]) = (access.values, true)
        case .claims(let claims): (values["claims"], values["isGroup"]) = (claims.values, true)
        }
        return values
    }

    private static func all(
        _ choices: [(value: String, label: String)], isChosen: (String) -> Bool
    ) -> [String: Any] {
        [
            "all": choices.map {
                ["value": $0.value, "words": $0.label, "isChosen": isChosen($0.value)]
                    as [String: Any]
            }
        ]
    }
}
