// SPDX-License-Identifier: Apache-2.0
package import JOSE
import Storage

/// A key of a state file, as the code reads it: drawn from the tables that read documents, for editors and for
/// the documentation.
package struct StateKey: Sendable {
    package let name: String
    /// What may stand there, by the names of JSON Schema: `string`, `boolean`, `integer`, `array`, `object`.
    package var kinds: [String] = []
    /// What holds where the document does not mention it; `nil` when nothing does.
    package var usual: JSONValue?
    package var isNeeded = false
    /// Of a mapping, or of each mapping in a list.
    package var members: [StateKey] = []

    init(_ name: String, _ kinds: String..., isNeeded: Bool = false, members: [StateKey] = []) {
        self.name = name
        self.kinds = kinds
        self.isNeeded = isNeeded
        self.members = members
    }

    /// A secret, which may stand in a file or a variable of the environment as well.
    static func secret(_ name: String) -> [StateKey] {
        ["", "_file", "_env"].map { StateKey(name + $0, "string") }
    }

    static func keys<Record>(_ fields: [RecordField<Record>], of blank: Record) -> [StateKey] {
        fields.map { field in
            var key = StateKey(field.name)
            key.usual = field.read(blank).flatMap { $0.object == nil ? $0 : nil }
            key.kinds = kinds(of: field, blank)
            key.members = field.members
            return key
        }
    }

    /// What the field takes for one of its own; where it does not tell, what stands there unasked.
    private static func kinds<Record>(of field: RecordField<Record>, _ blank: Record) -> [String] {
        let taken = samples.filter { _, sample in
            var record = blank
            return field.write(sample, &record)?.code != .wrongKind
        }
        guard taken.count > 2 else { return taken.map(\.0) }
        return field.read(blank).map { [kind(of: $0)] } ?? []
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

extension StateKey {
    /// Of the whole document.
    package static var document: [StateKey] {
        let role = [
            StateKey("username", "string", isNeeded: true),
            StateKey("role", "string", isNeeded: true),
            StateKey("project", "string"),
        ]
        return [
            StateKey("projects", "array", members: project),
            StateKey("administrators", "array", members: role),
        ]
    }

    private static var project: [StateKey] {
        let sections = ProjectSection.all.map { section in
            StateKey(section.name, "object", members: section.keys.map(withSecrets))
        }
        return [StateKey("name", "string", isNeeded: true)]
            + keys(ProjectFields.project, of: .blank) + sections
            + [
                StateKey("clients", "array", members: client),
                StateKey("users", "array", members: person),
                StateKey("issuer_keys", "array", members: issuerKey),
                StateKey("identity_providers", "array", members: upstream),
                StateKey(
                    "entitlement_sets", "array",
                    members: [StateKey("name", "string", isNeeded: true)]
                        + keys(EntitlementFields.set, of: .blank)),
                StateKey(
                    "entitlement_sequences", "array",
                    members: [StateKey("name", "string", isNeeded: true)]
                        + keys(EntitlementFields.sequence, of: .blank)),
            ]
    }

    private static var client: [StateKey] {
        [StateKey("client_id", "string", isNeeded: true)] + secret("client_secret")
            + keys(ClientFields.client, of: .blank)
    }

    private static var person: [StateKey] {
        [StateKey("username", "string", isNeeded: true)] + secret("password")
            + [StateKey("password_must_change", "boolean")] + keys(PersonFields.person, of: .blank)
    }

    private static var issuerKey: [StateKey] {
        ["issuer", "kid"].map { StateKey($0, "string", isNeeded: true) }
            + keys(IssuerKeyFields.key, of: .blank)
    }

    private static var upstream: [StateKey] {
        ["identifier", "kind"].map { StateKey($0, "string", isNeeded: true) }
            + secret("client_secret") + keys(UpstreamFields.provider, of: .blank)
    }

    /// With the secrets of vendors, which stand among the rules and are read apart from them.
    private static func withSecrets(_ key: StateKey) -> StateKey {
        var key = key
        for name in RegistrationSecrets.Name.allCases where name.part == key.name {
            key.members += secret(name.rawValue)
        }
        return key
    }
}
