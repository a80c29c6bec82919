// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import JOSE
import ProviderAdministration
import ProviderSettings
import WebPages

/// A member of what the Admin API shows and takes, as a field of a form and back again.
///
/// What a value may be is the Admin API's to say: a field hands on what was typed, and the page
/// shows the answer.
struct ConsoleField: Sendable {
    enum Kind: Sendable {
        case text, number, flag
        /// A text that need not be there: emptied, it is taken away.
        case optional
        /// Taken and never shown; an empty field leaves what there is.
        case secret(isLong: Bool)
        /// Several strings, one in each line.
        case lines
        /// `local = remote` pairs, one in each line.
        case pairs
        /// A JSON object.
        case json
        case choice([String])
        /// Any of these, each a box to tick.
        case boxes([String])
        /// Who may use a client (``ClientAccessInput``).
        case access
        /// The table of a client's own claims (``ClientClaimsInput``).
        case claims
    }

    var name: String
    /// Key of the text.
    var label: String
    var kind: Kind
    /// Key of the text, if there is none with the key of the label and `.hint`; none when empty.
    var hint: String
    var isRequired: Bool
    /// The range of a number, if it has one.
    var range: ClosedRange<Int64>?
    /// Whether a number is a number of seconds.
    var isSeconds = false

    init(
        _ name: String, _ label: String, _ kind: Kind = .text, hint: String = "",
        isRequired: Bool = false
    ) {
        self.name = name
        self.label = label
        self.kind = kind
        self.hint = hint
        self.isRequired = isRequired
    }

    private static let maximumLength = 8192

    /// Its name in a form, which says of a secret that it is one: then it is not stored while its
    /// sender signs in once more.
    var formName: String {
        if case .secret = kind { InterruptedForm.secretPrefix + name } else { name }
    }

    // MARK: To the form

    /// - Parameters:
    ///   - object: The resource as the Admin API returns it.
    ///   - typed: The submitted form, displayed again after a refusal.
    ///   - refusal: The refusal of the submitted form. The issues of this member are displayed at
    ///     its field.
    func input(
        _ console: ConsoleContext, _ object: JSONValue, typed: FormParameters?,
        refusal: AdministrativeRefusal? = nil
    ) -> ConsoleInput {
        var input = ConsoleInput(
            formName, console.text(label), inputKind(console, object, typed),
            value: typedOrShown(object, typed),
            hint: help(console, object), isRequired: isRequired, limit: Self.maximumLength)
        if case .secret = kind { input.isSecret = true }
        input.wrong = refusal?.complaint(about: name).map(console.text) ?? ""
        return input
    }

    private func inputKind(
        _ console: ConsoleContext, _ object: JSONValue, _ typed: FormParameters?
    ) -> ConsoleInput.Kind {
        switch kind {
        case .text, .optional, .number, .secret(isLong: false): return .text
        case .flag: return .flag
        case .secret, .lines, .pairs, .json: return .area
        case .choice(let values):
            return .choice(values.map { (value: $0, label: Self.words(console, $0)) })
        case .boxes(let values):
            return .boxes(values.map { (value: $0, label: Self.words(console, $0)) })
        case .access:
            return .access(
                typed.flatMap { ClientAccessInput($0, name) } ?? ClientAccessInput(object[name]))
        case .claims:
            let claims = claims(object, typed)
            return claims.isTable ? .claims(claims) : .area
        }
    }

    private func claims(_ object: JSONValue, _ typed: FormParameters?) -> ClientClaimsInput {
        typed.flatMap { ClientClaimsInput($0, name) } ?? ClientClaimsInput(object[name])
    }

    private func typedOrShown(_ object: JSONValue, _ typed: FormParameters?) -> String {
        if case .secret = kind { return "" }
        if case .boxes(let values) = kind, let typed {
            return ticked(values, in: typed).joined(separator: "\n")
        }
        switch kind {
        case .access: return ""
        case .claims: return claims(object, typed).value.text
        default: return typed.map { $0[name] ?? "" } ?? shown(object)
        }
    }

    private func shown(_ object: JSONValue) -> String {
        switch kind {
        case .access: ClientAccessInput(object[name]).value.text
        case .claims: ClientClaimsInput(object[name]).value.text
        default: object[name].map(simpleText) ?? ""
        }
    }

    private func simpleText(_ value: JSONValue) -> String {
        switch kind {
        case .flag: return value.bool == true ? "1" : ""
        case .lines, .boxes: return (value.strings ?? []).joined(separator: "\n")
        case .pairs:
            return (value.object?.members ?? [])
                .map { "\($0.name) = \($0.value.string ?? "")" }.joined(separator: "\n")
        case .secret: return ""
        case .json: return value == .null ? "" : value.text
        case .text, .optional, .number, .choice, .access, .claims:
            return value == .null ? "" : value.string ?? value.text
        }
    }

    // MARK: To those who may only look

    func fact(_ console: ConsoleContext, _ object: JSONValue) -> ConsoleFact? {
        let text: String
        switch kind {
        case .secret: return nil
        case .flag: text = console.text(object[name]?.bool == true ? "consoleYes" : "consoleNo")
        case .choice: text = Self.words(console, shown(object))
        case .lines, .pairs, .boxes:
            text = shown(object).split(separator: "\n").map { Self.words(console, String($0)) }
                .joined(separator: " · ")
        case .access: text = ClientAccessInput(object[name]).text(console)
        case .claims: text = ClientClaimsInput(object[name]).text
        case .number where isSeconds:
            text = object[name]?.integer.map(Self.seconds) ?? ""
        case .text, .optional, .number, .json: text = shown(object)
        }
        return ConsoleFact(console.text(label), ConsoleCell(text.isEmpty ? "–" : text))
    }

    /// A value as people read it, where there are words for it.
    static func words(_ console: ConsoleContext, _ value: String) -> String {
        console.visit.language.texts["consoleChoice.\(value)"] ?? value
    }

    // MARK: From the form

    /// `nil` when nothing is sent, and the Admin API's default or what there is counts.
    ///
    /// - Parameter isWhole: whether what is not sent takes its default: then nothing has to be
    ///   emptied.
    func value(in form: FormParameters, isWhole: Bool) -> JSONValue? {
        let typed = (form[formName] ?? "").trimmed()
        switch kind {
        case .flag: return .bool(typed == "1")
        case .lines: return .array(Self.lines(typed).map(JSONValue.string))
        case .boxes(let values): return .array(ticked(values, in: form).map(JSONValue.string))
        case .pairs: return .object(Self.pairs(typed))
        case .secret: return typed.isEmpty ? nil : .string(typed)
        case .number:
            return typed.isEmpty && isWhole
                ? nil : Int64(typed).map(JSONValue.integer) ?? .string(typed)
        case .optional: return typed.isEmpty ? (isWhole ? nil : .null) : .string(typed)
        case .json: return typed.isEmpty ? (isWhole ? nil : .null) : Self.json(typed)
        case .access: return ClientAccessInput(form, name)?.value
        case .claims: return ClientClaimsInput(form, name)?.value
        case .text, .choice: return typed.isEmpty && isWhole ? nil : .string(typed)
        }
    }

    /// Whether something else was typed than the page showed: what was not touched is not sent, so
    /// that of two people who change two fields both get what they wanted, however long the page of
    /// one of them was open.
    func isChanged(from object: JSONValue, in form: FormParameters) -> Bool {
        if case .secret = kind { return !(form[formName] ?? "").trimmed().isEmpty }
        guard let typed = essence(of: form) else { return false }
        let isAsShown = FormSnapshot(form)?.isAsShown(name, typed)
        return !(isAsShown ?? (typed == essence(of: object)))
    }

    /// What a field says, whatever a browser makes of its line ends and the order of its boxes.
    func essence(of object: JSONValue) -> String { essence(of: shown(object)) }

    /// Likewise, of what was typed; `nil` when the form has no such field.
    private func essence(of form: FormParameters) -> String? {
        switch kind {
        // Browsers leave out a box that is not ticked.
        case .flag: form[name] ?? ""
        case .boxes(let values):
            form[name].map { _ in essence(of: ticked(values, in: form).joined(separator: "\n")) }
        case .access: ClientAccessInput(form, name).map { essence(of: $0.value.text) }
        case .claims: ClientClaimsInput(form, name).map { essence(of: $0.value.text) }
        default: form[name].map(essence)
        }
    }

    private func essence(of text: String) -> String {
        let lines = Self.lines(text)
        guard case .boxes = kind else { return lines.joined(separator: "\n") }
        return Set(lines).sorted().joined(separator: "\n")
    }

    /// What is ticked, and what else was asked for: a form without boxes may send lines.
    private func ticked(_ values: [String], in form: FormParameters) -> [String] {
        let others = Self.lines(form[name] ?? "").filter { !values.contains($0) }
        return values.filter {
            form["\(name).\($0)"] == "1" || Self.lines(form[name] ?? "").contains($0)
        } + others
    }

    /// What is no JSON stays text, for the Admin API to refuse.
    static func json(_ typed: String) -> JSONValue {
        (try? JSONParser.parse(Array(typed.utf8), maximumBytes: maximumLength)) ?? .string(typed)
    }

    /// What lines hold, without the empty ones.
    static func lines(_ typed: String) -> [String] {
        typed.split(whereSeparator: \.isNewline).map { String($0).trimmed() }
            .filter { !$0.isEmpty }
    }

    private static func pairs(_ typed: String) -> JSONObject {
        JSONObject(
            lines(typed).map { line in
                let parts = line.split(
                    separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                return JSONObject.Member(
                    name: String(parts[0]).trimmed(),
                    value: .string(parts.count == 2 ? String(parts[1]).trimmed() : ""))
            })
    }
}

extension AdministrativeRefusal {
    /// What is wrong with the member of that name, or with something in it; `nil` when nothing is.
    func complaint(about name: String) -> ValidationIssue? {
        issues.first {
            $0.path == name || $0.path.hasPrefix(name + "[") || $0.path.hasPrefix(name + ".")
        }?.complaint
    }
}
