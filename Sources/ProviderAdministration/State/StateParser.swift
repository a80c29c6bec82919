// SPDX-License-Identifier: Apache-2.0
package import JOSE
import PasswordHashing
import Primitives
import ProviderInstallations
package import ProviderSettings
import ProviderTokens
import Storage

/// Parses a state document strictly: unknown keys are refused and all values are validated.
package struct StateParser {
    var cursor = StateCursor()

    private init() {}

    /// Parses a document. The number of entries is limited by the size of the document, which its
    /// reader limits.
    package static func parse(_ document: JSONValue) throws(StateDocumentError) -> DesiredState {
        try run { parser in
            DesiredState(
                projects: parser.projects(document),
                administrators: parser.administrators(document))
        }
    }

    /// Parses a project without its name, clients and people, as the Admin API receives it.
    package static func project(
        _ document: JSONValue, named name: String
    ) throws(StateDocumentError) -> DesiredProject {
        try run { $0.project(document.naming("name", name), at: "") }
    }

    package static func client(
        _ document: JSONValue, id: String? = nil
    ) throws(StateDocumentError) -> DesiredClient {
        try run { $0.client(document.naming("client_id", id), at: "") }
    }

    package static func person(
        _ document: JSONValue, username: String? = nil
    ) throws(StateDocumentError) -> DesiredPerson {
        try run { $0.person(document.naming("username", username), at: "") }
    }

    package static func issuerKey(
        _ document: JSONValue
    ) throws(StateDocumentError) -> DesiredIssuerKey {
        try run { $0.issuerKey(document, at: "") }
    }

    package static func upstreamProvider(
        _ document: JSONValue, identifier: String
    ) throws(StateDocumentError) -> DesiredUpstreamProvider {
        try run { $0.upstreamProvider(document.naming("identifier", identifier), at: "") }
    }

    private static func run<Value>(
        _ body: (inout StateParser) -> Value?
    ) throws(StateDocumentError) -> Value {
        var parser = StateParser()
        let value = body(&parser)
        guard let value, parser.cursor.problems.isEmpty else {
            throw StateDocumentError(parser.cursor.problems)
        }
        return value
    }

    // MARK: Projects

    private mutating func projects(_ document: JSONValue) -> [DesiredProject] {
        guard let object = cursor.object(document, at: "") else { return [] }
        var nothing: Void = ()
        cursor.read(
            object, at: "", into: &nothing, fields: [], others: ["projects", "administrators"])
        var projects: [DesiredProject] = []
        for (index, value) in cursor.list(object["projects"], at: "projects").enumerated() {
            guard let project = project(value, at: "projects[\(index)]") else { continue }
            if projects.contains(where: { $0.name == project.name }) {
                cursor.refuse("projects[\(index)].name", ValidationIssue(.projectTwice))
            }
            projects.append(project)
        }
        return projects
    }

    private mutating func project(_ value: JSONValue, at path: String) -> DesiredProject? {
        guard let object = cursor.object(value, at: path) else { return nil }
        guard let name = name(object, "name", at: path, rule: TextRules.projectName) else {
            return nil
        }
        var record = Project.blank
        let others =
            ["name", "clients", "issuer_keys", "users"] + ProjectSection.all.map(\.name)
            + Self.lists
        cursor.read(
            object, at: path, into: &record, fields: ProjectFields.project, others: others)
        var project = DesiredProject(name: name, members: object.without(others))
        let sections = registrationSecrets(of: object, at: path, into: &project)
        for section in ProjectSection.all {
            let place = path.key(section.name)
            guard let value = sections[section.name],
                let members = cursor.object(value, at: place)
            else { continue }
            section.check(members, place, &cursor)
            project.sections[section.name] = members
        }
        project.issuerKeys = all("issuer_keys", of: object, at: path, key: \.name) {
            $0.issuerKey($1, at: $2)
        }
        project.clients = all("clients", of: object, at: path, key: \.clientID) {
            $0.client($1, at: $2)
        }
        readLists(object, at: path, into: &project)
        project.people = all("users", of: object, at: path, key: \.username) {
            $0.person($1, at: $2)
        }
        return project
    }

    /// Parses the secrets in the registration policy. Returns the project without them.
    private mutating func registrationSecrets(
        of object: JSONObject, at path: String, into project: inout DesiredProject
    ) -> JSONObject {
        guard var registration = object["registration"]?.object else { return object }
        for name in RegistrationSecrets.Name.allCases {
            guard let part = registration[name.part]?.object else { continue }
            let place = path.key("registration").key(name.part)
            if let secret = secret(name.rawValue, of: part, at: place) {
                project.registrationSecrets[name] = secret
                if let complaint = AttestedAppFields.complaint(secret, as: name) {
                    cursor.refuse(place.key(name.rawValue), complaint)
                }
            }
            let others = ["", "_file", "_env"].map { name.rawValue + $0 }
            registration[name.part] = .object(part.without(others))
        }
        var object = object
        object["registration"] = .object(registration)
        return object
    }

    /// Parses the entries of a list, whose names must be unique.
    mutating func all<Entry>(
        _ key: String, of object: JSONObject, at path: String, key name: KeyPath<Entry, String>,
        read: (inout StateParser, JSONValue, String) -> Entry?
    ) -> [Entry] {
        var entries: [Entry] = []
        var seen: Set<String> = []
        for (index, value) in cursor.list(object[key], at: path.key(key)).enumerated() {
            let place = "\(path.key(key))[\(index)]"
            guard let entry = read(&self, value, place) else { continue }
            if !seen.insert(entry[keyPath: name]).inserted {
                cursor.refuse(
                    place, ValidationIssue(.nameTwice, ["name": .text(entry[keyPath: name])]))
            }
            entries.append(entry)
        }
        return entries
    }

    // MARK: Clients and people

    private mutating func client(_ value: JSONValue, at path: String) -> DesiredClient? {
        guard let object = cursor.object(value, at: path),
            let id = name(object, "client_id", at: path, rule: TextRules.clientID)
        else { return nil }
        var record = Client.blank
        let others = ["client_id", "client_secret", "client_secret_file", "client_secret_env"]
        cursor.read(object, at: path, into: &record, fields: ClientFields.client, others: others)
        let secret = secret("client_secret", of: object, at: path)
        if let (key, complaint) = ClientFields.complaint(about: record, hasSecret: secret != nil) {
            cursor.refuse(path.key(key), complaint)
        }
        return DesiredClient(clientID: id, members: object.without(others), secret: secret)
    }

    private mutating func issuerKey(_ value: JSONValue, at path: String) -> DesiredIssuerKey? {
        guard let object = cursor.object(value, at: path),
            let issuer = name(object, "issuer", at: path, rule: IssuerKeyFields.issuer),
            let kid = name(object, "kid", at: path, rule: IssuerKeyFields.name)
        else { return nil }
        var record = IssuerKey.blank
        let others = ["issuer", "kid"]
        cursor.read(object, at: path, into: &record, fields: IssuerKeyFields.key, others: others)
        if let (key, complaint) = IssuerKeyFields.complaint(record) {
            cursor.refuse(path.key(key), complaint)
        }
        return DesiredIssuerKey(issuer: issuer, kid: kid, members: object.without(others))
    }

    private mutating func person(_ value: JSONValue, at path: String) -> DesiredPerson? {
        guard let object = cursor.object(value, at: path),
            let typed = name(object, "username", at: path, rule: TextRules.username),
            let username = UserName.canonical(typed)
        else { return nil }
        var record = Person.blank
        let others = [
            "username", "password", "password_file", "password_env", Self.mustChange,
        ]
        cursor.read(object, at: path, into: &record, fields: PersonFields.person, others: others)
        let password = secret("password", of: object, at: path)
        if let password, Password(password) == nil {
            cursor.refuse(
                path.key("password"),
                ValidationIssue(.notBytes, ["most": "\(Password.greatestLength)"]))
        }
        let mustChange = mustChange(object, hasPassword: password != nil, at: path)
        return DesiredPerson(
            username: username, members: object.without(others),
            password: password.map { NewPassword(secret: $0, mustChange: mustChange) })
    }

    private static let mustChange = "password_must_change"

    /// Parses the flag of a first password. It requires a password.
    private mutating func mustChange(
        _ object: JSONObject, hasPassword: Bool, at path: String
    ) -> Bool {
        guard let value = object[Self.mustChange] else { return false }
        guard let flag = value.bool else {
            cursor.refuse(path.key(Self.mustChange), .wrongKind(value, wanted: .wordFlag))
            return false
        }
        if flag, !hasPassword {
            cursor.refuse(path.key("password"), ValidationIssue(.missing))
        }
        return flag
    }

    mutating func name(
        _ object: JSONObject, _ key: String, at path: String, rule: TextRule
    ) -> String? {
        guard let value = object[key] else {
            cursor.refuse(path.key(key), ValidationIssue(.missing))
            return nil
        }
        guard let text = cursor.text(value, at: path.key(key)) else { return nil }
        if let complaint = rule(text) {
            cursor.refuse(path.key(key), complaint.quoting(text))
            return nil
        }
        return text
    }

    /// Parses a secret. `…_file` and `…_env` are resolved by the command on its computer. A server
    /// must not open files that a document names.
    mutating func secret(_ key: String, of object: JSONObject, at path: String) -> Secret? {
        for suffix in ["_file", "_env"] where object[key + suffix] != nil {
            cursor.refuse(
                path.key(key + suffix), ValidationIssue(.readByCommand, ["name": .text(key)]))
        }
        guard let value = object[key] else { return nil }
        guard let text = cursor.text(value, at: path.key(key)) else { return nil }
        guard (1...4096).contains(text.utf8.count) else {
            cursor.refuse(path.key(key), ValidationIssue(.notBytes, ["most": "4096"]))
            return nil
        }
        return Secret(text)
    }
}

extension String {
    /// The path of a member of the path `self`.
    fileprivate func key(_ name: String) -> String { isEmpty ? name : "\(self).\(name)" }
}

extension JSONObject {
    func without(_ names: [String]) -> JSONObject {
        JSONObject(members.filter { !names.contains($0.name) })
    }
}

extension JSONValue {
    /// Adds the name from the URL. It replaces a different name in the body.
    fileprivate func naming(_ key: String, _ name: String?) -> JSONValue {
        guard let name, var object else { return self }
        object[key] = .string(name)
        return .object(object)
    }
}
