// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import JOSE

/// The form of a client's `access`: a choice, and a list each of groups and of people.
struct ClientAccessInput: Equatable {
    enum Choice: String, CaseIterable { case everybody, nobody, only }

    var choice = Choice.everybody
    /// One per line, as `users`.
    var groups = ""
    var users = ""
    /// A value that is none of the choices, for the Admin API to refuse.
    private var other: JSONValue?

    /// - Parameter value: As the Admin API shows it; `nil` for all people.
    init(_ value: JSONValue?) {
        if let object = value?.object {
            choice = .only
            groups = Self.lines(object["groups"])
            users = Self.lines(object["users"])
        } else if let value, value != .null, value.string != Choice.everybody.rawValue {
            choice = .nobody
            if value.string != Choice.nobody.rawValue { other = value }
        }
    }

    /// The submitted value; `nil` if the form has no such field. JSON text is read too.
    init?(_ form: FormParameters, _ name: String) {
        guard let text = form[name] else { return nil }
        let submitted = Choice(rawValue: text)
        self.init(submitted == nil && !text.isEmpty ? ConsoleField.json(text) : nil)
        guard let submitted else { return }
        choice = submitted
        groups = form["\(name).groups"] ?? ""
        users = form["\(name).users"] ?? ""
    }

    var value: JSONValue {
        if let other { return other }
        guard choice == .only else { return .string(choice.rawValue) }
        let (groups, users) = (ConsoleField.lines(groups), ConsoleField.lines(users))
        var object = JSONObject()
        if !groups.isEmpty || users.isEmpty {
            object["groups"] = .array(groups.map(JSONValue.string))
        }
        if !users.isEmpty { object["users"] = .array(users.map(JSONValue.string)) }
        return .object(object)
    }

    /// For administrators who may only read.
    func text(_ console: ConsoleContext) -> String {
        switch choice {
        case .everybody: console.text("consoleAccessEverybody")
        case .nobody: console.text("consoleAccessNobody")
        case .only: ConsoleField.lines(groups + "\n" + users).joined(separator: " · ")
        }
    }

    var values: [String: Any] {
        [
            "everybody": choice == .everybody, "nobody": choice == .nobody,
            "only": choice == .only, "groups": groups, "users": users,
        ]
    }

    private static func lines(_ value: JSONValue?) -> String {
        (value?.strings ?? []).joined(separator: "\n")
    }
}
