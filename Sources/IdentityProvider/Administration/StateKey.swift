// SPDX-License-Identifier: Apache-2.0
package import JOSE
import Storage

/// A key of a state file. It is derived from the tables that parse documents, for editors and for
/// the documentation.
package struct StateKey: Sendable {
    package let name: String
    /// The accepted types, by the names of JSON Schema: `string`, `boolean`, `integer`, `array`,
    /// `object`.
    package var kinds: [String] = []
    /// The accepted strings, also as elements of a list; empty if all are accepted.
    package var choices: [String] = []
    /// The types of the elements or values of a list or object without ``members``.
    package var elements: [String] = []
    /// The maximum number of elements, if it is not that of all lists.
    package var maximumCount: Int?
    /// The range of a number.
    package var range: ClosedRange<Int64>?
    /// The default; `nil` if there is none.
    package var usual: JSONValue?
    /// A description instead of a default; empty if ``usual`` is sufficient.
    package var note = ""
    package var isNeeded = false
    /// Whether null removes the value.
    package var isClearable = false
    /// Whether the empty string is refused.
    package var isNonempty = false
    /// Whether the order of a list has a meaning, such as a preference.
    package var isOrdered = false
    /// Whether the value, or each element, is in PEM, as certificates and keys are.
    package var isPEM = false
    /// A regular expression of JSON Schema for a string.
    package var pattern: String?
    /// A description for the Admin API, or for documentation; empty if the name is sufficient.
    package var summary = ""
    /// The keys of an object, or of the objects in a list.
    package var members: [StateKey] = []

    init(
        _ name: String, _ kinds: String..., isNeeded: Bool = false, choices: [String] = [],
        elements: [String] = [], members: [StateKey] = [], summary: String = ""
    ) {
        self.init(name, kinds)
        self.isNeeded = isNeeded
        self.choices = choices
        self.elements = elements
        self.members = members
        self.summary = summary
    }

    init(_ name: String, _ kinds: [String]) {
        self.name = name
        self.kinds = kinds
    }

    /// The keys of a secret, which can also be in a file or an environment variable.
    static func secret(_ name: String) -> [StateKey] {
        ["", "_file", "_env"].map { StateKey(name + $0, "string") }
    }
}

extension StateKey {
    /// The keys of the document.
    package static var document: [StateKey] {
        let role = [
            StateKey("username", "string", isNeeded: true),
            StateKey(
                "role", "string", isNeeded: true,
                choices: Administrator.Role.allCases.map(\.rawValue)),
            StateKey("project", "string"),
        ]
        return [
            StateKey("projects", "array", members: project),
            StateKey("administrators", "array", members: role),
        ]
    }

    private static var project: [StateKey] {
        let sections = ProjectSection.all.map { section in
            StateKey(
                section.name, "object",
                members: section.keys.map(withSecrets).map(unchangedIfAbsent))
        }
        return [StateKey("name", "string", isNeeded: true)]
            + keys(ProjectFields.project, of: .blank).map {
                $0.unchangedIfAbsent(else: "`production`")
            }
            + sections
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
            + clientSettings
    }

    private static var person: [StateKey] {
        [StateKey("username", "string", isNeeded: true)] + secret("password")
            + [StateKey("password_must_change", "boolean")]
            + personSettings.map { key in
                // Only people are changed key by key.
                key.unchangedIfAbsent(else: key.usual.map { "`\($0.text)`" } ?? "")
            }
    }

    private static var issuerKey: [StateKey] {
        ["issuer", "kid"].map { StateKey($0, "string", isNeeded: true) }
            + issuerKeySettings
    }

    private static var upstream: [StateKey] {
        [
            StateKey("identifier", "string", isNeeded: true),
            StateKey(
                "kind", "string", isNeeded: true,
                choices: UpstreamProvider.Kind.allCases.map(\.rawValue)),
        ]
            + secret("client_secret") + upstreamSettings
    }

    // MARK: The tables, without names and secrets

    package static let clientSettings = keys(ClientFields.client, of: .blank)
    package static let personSettings = keys(PersonFields.person, of: .blank)
    package static let issuerKeySettings = keys(IssuerKeyFields.key, of: .blank)
    package static let upstreamSettings = keys(UpstreamFields.provider, of: .blank)
    package static let registration = keys(
        RegistrationFields.policy, of: Project.blank.policy.registration)

    /// Marks a key of a section that is unchanged if absent, see ``ProjectSection/all``.
    private static func unchangedIfAbsent(_ key: StateKey) -> StateKey {
        guard key.name == "self_registration" else { return key }
        return key.unchangedIfAbsent(
            else: "`false`, and `true` where the issuer is plain http on the same machine")
    }

    /// - Parameter new: the value for a new record; empty if there is none.
    private func unchangedIfAbsent(else new: String) -> StateKey {
        var key = self
        key.usual = nil
        key.note = "as it is" + (new.isEmpty ? "" : "; in a new one \(new)")
        return key
    }

    /// Adds the secrets of vendors, which are keys of the policy and are parsed separately.
    private static func withSecrets(_ key: StateKey) -> StateKey {
        var key = key
        for name in RegistrationSecrets.Name.allCases where name.part == key.name {
            key.members += secret(name.rawValue)
        }
        return key
    }
}
