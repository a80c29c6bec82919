// SPDX-License-Identifier: Apache-2.0
import JOSE
import ProviderInstallations
package import ProviderSettings
import ProviderTokens
import ProviderUpstream
import Storage

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

    /// The keys of the document with texts as their descriptions.
    package static func document(describedBy texts: [String: String]) -> [StateKey] {
        document.map { key in
            var key = key
            let path = key.name == "projects" ? "" : "\(key.name)."
            key.members = key.members.map { $0.described(by: texts, below: path) }
            return key
        }
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
