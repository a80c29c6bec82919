// SPDX-License-Identifier: Apache-2.0
import Foundation
import JOSE
import Storage
import Testing

@testable import ProviderAdministration
@testable import ProviderInstallations
@testable import ProviderSettings
@testable import ProviderTokens
@testable import ProviderUpstream

/// Every setting declares whether it can change who can sign in as another person.
@Suite struct SettingEffectTests {
    private static let ofProjects =
        ProjectFields.project.flatMap(\.effects) + ProjectSection.all.flatMap(\.effects)
    private static let ofOthers =
        ClientFields.client.flatMap(\.effects) + UpstreamFields.provider.flatMap(\.effects)
        + IssuerKeyFields.key.flatMap(\.effects) + EntitlementFields.set.flatMap(\.effects)
        + EntitlementFields.sequence.flatMap(\.effects)

    @Test("every key of every setting declares it, and only those of a person are of one person")
    func declared() {
        let keys = Self.ofProjects.map(\.key)
        #expect(Set(keys).count == keys.count && keys.count > 120)
        for each in Self.ofProjects + Self.ofOthers {
            #expect(each.effect != .ofOnePerson, "\(each.key)")
        }
        let person = PersonFields.person.flatMap(\.effects)
        for each in person {
            #expect([.ordinary, .ofOnePerson].contains(each.effect), "\(each.key)")
        }
        for key in [
            "email", "email_verified", "groups", "alt_security_identities", "attributes",
            "disabled",
        ] {
            #expect(person.first { $0.key == key }?.effect == .ofOnePerson, "\(key)")
        }
    }

    @Test(
        "what says whose word or which proof counts is never ordinary",
        arguments: [
            "environment", "webauthn.related_origins", "webauthn.top_origins",
            "webauthn.user_verification", "webauthn.algorithms", "webauthn.trust_roots",
            "webauthn.second_factor_before_first_key", "associated_apps.webcredentials",
            "associated_apps.authsrv", "registration.methods",
            "registration.test_keys_in_production", "registration.identity_providers.url",
            "registration.pin.attempts", "registration.pin.implicit_scopes",
            "registration.approvals.app_url", "registration.android.roots",
            "platform_sso.allowed_methods", "platform_sso.administrator_groups",
            "platform_sso.authorization_groups", "platform_sso.profile",
            "platform_sso.smart_card_roots", "platform_sso.federation_keys",
            "platform_sso.setup_assistant_package", "platform_sso.require_compliance",
            "registration.apple.applications", "registration.apple.device_check_team_id",
            "registration.android.applications.package",
            "registration.android.applications.fingerprints",
        ])
    func dangerous(_ key: String) throws {
        let found = try #require(Self.ofProjects.first { $0.key == key })
        #expect([.impersonating, .impersonatingWhenOn].contains(found.effect))
    }

    /// Keys of documents that are read outside of the tables: names, and secrets, whose change
    /// `RaisedRightsTests` and `StateDifference` cover.
    private static let elsewhere: Set<String> = Set(
        [
            "projects.name", "projects.clients.client_id", "projects.users.username",
            "projects.users.password_must_change",
            "projects.issuer_keys.issuer", "projects.issuer_keys.kid",
            "projects.identity_providers.identifier", "projects.identity_providers.kind",
            "projects.entitlement_sets.name", "projects.entitlement_sequences.name",
            "administrators.username", "administrators.role", "administrators.project",
        ]
            + [
                "clients.client_secret", "users.password", "identity_providers.client_secret",
                "registration.apple.device_check_key",
                "registration.android.play_decryption_key",
            ].flatMap { name in ["", "_file", "_env"].map { "projects.\(name)\($0)" } })

    /// As a document names them, without the marks of lists.
    private static let inDocuments: Set<String> = {
        let lists: [(String, [SettingEffect.OfKey])] = [
            ("clients", ClientFields.client.flatMap(\.effects)),
            ("users", PersonFields.person.flatMap(\.effects)),
            ("issuer_keys", IssuerKeyFields.key.flatMap(\.effects)),
            ("identity_providers", UpstreamFields.provider.flatMap(\.effects)),
            ("entitlement_sets", EntitlementFields.set.flatMap(\.effects)),
            ("entitlement_sequences", EntitlementFields.sequence.flatMap(\.effects)),
        ]
        let all = ofProjects + lists.flatMap { name, effects in effects.map { $0.within(name) } }
        return Set(all.map { $0.within("projects").key })
    }()

    @Test("every key of docs/state-keys.md declares it, or is known to be read elsewhere")
    func documented() throws {
        let page = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../docs/state-keys.md").standardizedFileURL
        let keys = try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
            .filter { $0.hasPrefix("| `") }
            .map { String($0.dropFirst(3).prefix { $0 != "`" }).replacing("[]", with: "") }
        #expect(keys.count > 250)
        for key in keys {
            let hasMembers = keys.contains { $0.hasPrefix(key + ".") }
            let parts = key.split(separator: ".")
            // A mapping declares for what is in it, or each key in it does.
            let isDeclared = parts.indices.contains {
                Self.inDocuments.contains(parts[...$0].joined(separator: "."))
            }
            #expect(isDeclared || hasMembers || Self.elsewhere.contains(key), "\(key)")
        }
        #expect(Self.inDocuments.subtracting(keys).isEmpty)
        #expect(Self.elsewhere.subtracting(keys).isEmpty)
        #expect(Self.elsewhere.isDisjoint(with: Self.inDocuments))
    }

    @Test(
        "a change is named by the key within the entry that changed; a removal does not extend access"
    )
    func within() {
        var old = Project.blank
        old.policy.registration.identityProviders = [CustomProviderSettings()]
        old.policy.registration.identityProviders[0].id = "club"
        old.policy.registration.identityProviders[0].enabled = false
        var new = old
        #expect(ProjectSection.impersonating(from: old, to: new).isEmpty)
        new.policy.registration.identityProviders[0].name = "The Club"
        new.policy.accessTokenLifetime = 77
        #expect(ProjectSection.impersonating(from: old, to: new).isEmpty)
        new.policy.registration.identityProviders[0].enabled = true
        new.policy.webauthn.relatedOrigins = ["https://evil.example"]
        #expect(
            ProjectSection.impersonating(from: old, to: new) == [
                "webauthn.related_origins", "registration.identity_providers.club.enabled",
            ])
        #expect(
            ProjectSection.impersonating(from: new, to: old) == ["webauthn.related_origins"])
    }

    @Test("the URLs of a client without access to accounts are not restricted")
    func clients() {
        var client = Client.blank
        #expect(!client.reachesAccounts)
        client.metadata.firstParty = true
        #expect(client.reachesAccounts)
        client.metadata = ClientMetadata()
        client.metadata.scope = "openid registration"
        #expect(client.reachesAccounts)
        client.metadata = ClientMetadata()
        client.metadata.webHandoffURIs = ["https://shop.example/in"]
        #expect(client.reachesAccounts)
        client.metadata = ClientMetadata()
        client.metadata.grantTypes = ["urn:ietf:params:oauth:grant-type:token-exchange"]
        #expect(client.reachesAccounts)
    }
}
