// SPDX-License-Identifier: Apache-2.0
import JOSE
import Testing

@testable import AdminEndpoints
@testable import ProviderAdministration
@testable import ProviderInstallations
@testable import ProviderSettings
@testable import ProviderTokens
@testable import ProviderUpstream

/// The schemas of the Admin API have members besides those of the tables of settings: such a member
/// could enable impersonation, and declare nothing.
@Suite struct SettingSchemaTests {
    private static let project = ProjectSection.all.flatMap(\.effects).map(\.key)

    /// What each body is about, by the keys of the tables.
    private static let tables: [String: [String]] = [
        "Client": ClientFields.client.flatMap(\.effects).map(\.key),
        "Person": PersonFields.person.flatMap(\.effects).map(\.key),
        "IssuerKey": IssuerKeyFields.key.flatMap(\.effects).map(\.key),
        "IdentityProvider": UpstreamFields.provider.flatMap(\.effects).map(\.key),
        "EntitlementSet": EntitlementFields.set.flatMap(\.effects).map(\.key),
        "EntitlementSequence": EntitlementFields.sequence.flatMap(\.effects).map(\.key),
        "Theme": below("theme"), "TokenPolicy": below("policy"),
        "WebAuthnPolicy": below("webauthn"), "AssociatedApps": below("associated_apps"),
        "PlatformSSOPolicy": below("platform_sso"), "RegistrationPolicy": below("registration"),
        "VersionPolicy": below("registration"), "PINPolicy": below("registration.pin"),
        "ApprovalPolicy": below("registration.approvals"),
        "AppleAttestation": below("registration.apple"),
        "AndroidAttestation": below("registration.android"),
        "SigningFingerprint": below("registration.android.applications"),
        "ApplicationRule": below("registration.applications"),
        "SystemRule": below("registration.systems"),
        "CustomIdentityProvider": below("registration.identity_providers"),
    ]

    /// Members that no table has, and why.
    private static let others = [
        "Client.client_id": "names it", "Person.username": "names them",
        "IssuerKey.issuer": "names it",
        "IssuerKey.kid": "names it", "IdentityProvider.kind": "never changes",
        "Client.client_secret": "owners alone: StateDifference.client",
        "IdentityProvider.client_secret": "owners alone: StateReconciler+lists",
        "Person.password": "of one person: their roles must be reached",
        "Person.password_must_change": "of one person, and only with a password",
        "AppleAttestation.device_check_key": "works with its own key id and team alone",
        "AndroidAttestation.play_decryption_key": "verdicts are verified by another key",
    ]

    private static func below(_ path: String) -> [String] {
        project.filter { $0.hasPrefix(path + ".") }.map { String($0.dropFirst(path.count + 1)) }
    }

    @Test(
        "every member that the Admin API takes for a setting declares whether it can enable impersonation",
        arguments: tables.keys.sorted())
    func declared(_ name: String) throws {
        let schemas = try JSONParser.parse(Array(AdminSchemas.all.utf8), maximumBytes: 65_536)
        let members = try #require(schemas[name]?["properties"]?.object).members
        let taken = members.filter {
            $0.value["readOnly"]?.bool != true && !$0.name.hasPrefix("has_")
        }
        let known = Set(try #require(Self.tables[name]).map { $0.prefix { $0 != "." } })
        #expect(!taken.isEmpty && !known.isEmpty)
        for member in taken where !known.contains(member.name[...]) {
            #expect(Self.others["\(name).\(member.name)"] != nil, "\(name).\(member.name)")
        }
        for member in taken where known.contains(member.name[...]) {
            #expect(Self.others["\(name).\(member.name)"] == nil, "\(name).\(member.name)")
        }
    }
}
