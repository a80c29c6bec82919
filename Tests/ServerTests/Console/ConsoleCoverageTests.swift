// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import JOSE
import ProviderAdministration
import Testing

@testable import AdminConsole
@testable import AdminEndpoints

/// Whatever the Admin API can do and take, a page does and asks for; or there is a reason.
@Suite struct ConsoleCoverageTests {
    /// The page or form that calls an operation.
    private enum Place {
        /// Below the project's address.
        case project(String)
        /// Below `/console`.
        case console(String)
        /// A page of settings that is drawn from its values.
        case rules
        case none(because: String)
    }

    /// A new operation does not compile without a place here.
    private static func place(of operation: AdministrativeOperation) -> Place {
        switch operation {
        case .rotateToken, .makeSetUpLink, .showStore, .backUpStore, .sweepStore:
            .none(because: "it is about the whole server, which is its operator's")
        case .releaseName: .none(because: "it is rare: gatehouse admin people release-name")
        case .listProjects: .console("")
        case .putProject: .console("/create")
        case .showProject: .project("")
        case .removeProject: .project("/remove")
        case .exportState: .project("/export")
        case .planState: .project("/state/plan")
        case .applyState: .project("/state/apply")
        case .listAuditEvents: .project("/audit")
        case .listAdministrators, .listAwaitedApprovals: .console("/administrators")
        case .grantAdministrator: .console("/administrators/grant")
        case .revokeAdministrator, .listBelongings:
            .console("/administrators/{person}/{scope}/revoke")
        case .giveApproval: .console("/administrators/{person}/approve")
        case .listKeys: .project("/keys")
        case .rotateKey: .project("/keys/rotate")
        case .retireKey: .project("/keys/{kid}/retire")
        case .listEncryptionKeys: .project("/encryption-keys")
        case .rotateEncryptionKey: .project("/encryption-keys/rotate")
        case .retireEncryptionKey: .project("/encryption-keys/{key}/retire")
        case .listAPITokens: .project("/api-tokens")
        case .createAPIToken: .project("/api-tokens/create")
        case .handOverAPIToken: .project("/api-tokens/{token}/hand-over")
        case .revokeAPIToken: .project("/api-tokens/{token}/revoke")
        case .listPeople: .project("/people")
        case .showPerson, .listApprovals, .showEntitlements: .project("/people/{person}")
        case .putPerson: .project("/people/create")
        case .removePerson: .project("/people/{person}/remove")
        case .endSessions: .project("/people/{person}/sign-out")
        case .removeInstallation: .project("/people/{person}/installations/{installation}/remove")
        case .invitePerson: .project("/people/{person}/invitation")
        case .withdrawInvitation: .project("/people/{person}/invitation/withdraw")
        case .openReRegistration: .project("/people/{person}/re-registration")
        case .closeReRegistration: .project("/people/{person}/re-registration/close")
        case .askApproval: .project("/people/{person}/approvals")
        case .setEntitlements: .project("/people/{person}/entitlements")
        case .changeExpendables: .project("/people/{person}/expendable")
        case .listGroups: .project("/groups")
        case .listGroupMembers: .project("/groups/{group}")
        case .addGroupMember: .project("/groups/{group}/add")
        case .removeGroupMember: .project("/groups/{group}/remove")
        case .listEntitlementSets, .listEntitlementSequences: .project("/entitlement-sets")
        case .putEntitlementSet: .project("/entitlement-sets/save")
        case .removeEntitlementSet: .project("/entitlement-sets/{set}/remove")
        case .giveEntitlementSet, .takeEntitlementSet:
            .project("/entitlement-sets/{set}/people/apply")
        case .showEntitlementSequence, .putEntitlementSequence:
            .project("/entitlement-sequences/save")
        case .removeEntitlementSequence: .project("/entitlement-sequences/{sequence}/remove")
        case .listClients: .project("/clients")
        case .showClient: .project("/clients/{client}")
        case .putClient: .project("/clients/create")
        case .removeClient: .project("/clients/{client}/remove")
        case .listIssuerKeys: .project("/issuer-keys")
        case .putIssuerKey: .project("/issuer-keys/create")
        case .removeIssuerKey: .project("/issuer-keys/{key}/remove")
        case .listTestKeys: .project("/test-keys")
        case .createTestKey: .project("/test-keys/create")
        case .revokeTestKey: .project("/test-keys/{key}/revoke")
        case .sweepTestPeople: .project("/test-keys/sweep")
        case .listDevices: .project("/devices")
        case .showDevice: .project("/devices/{device}")
        case .revokeDevice: .project("/devices/{device}/revoke")
        case .removeDeviceUser: .project("/devices/{device}/users/{person}/remove")
        case .putDeviceCompliance: .project("/devices/{device}/compliance")
        case .listRegistrationTokens: .project("/registration-tokens")
        case .createRegistrationToken: .project("/registration-tokens/create")
        case .revokeRegistrationToken: .project("/registration-tokens/{token}/revoke")
        case .listIdentityProviders, .showIdentityProvider, .putIdentityProvider,
            .removeIdentityProvider, .listCustomIdentityProviders, .showCustomIdentityProvider,
            .putCustomIdentityProvider, .removeCustomIdentityProvider, .listSigningFingerprints,
            .showSigningFingerprint, .putSigningFingerprint, .removeSigningFingerprint,
            .listApplicationRules, .showApplicationRule, .putApplicationRule,
            .removeApplicationRule, .listSystemRules, .showSystemRule, .putSystemRule,
            .removeSystemRule, .showTokenPolicy, .putTokenPolicy, .showWebAuthnPolicy,
            .putWebAuthnPolicy, .showPlatformSSOPolicy, .putPlatformSSOPolicy, .showPINPolicy,
            .putPINPolicy, .showApprovalPolicy, .putApprovalPolicy, .showAssociatedApps,
            .putAssociatedApps, .showTheme, .putTheme, .showRegistrationPolicy,
            .putRegistrationPolicy, .showVersionPolicy, .putVersionPolicy, .showAppleAttestation,
            .putAppleAttestation, .showAndroidAttestation, .putAndroidAttestation:
            .rules
        }
    }

    @Test("every call of the Admin API is made by a page, or has a reason why not")
    func calls() async throws {
        let patterns = Set(try await PagesHouse().console.routes().map(\.pattern))
        let drawn = Set(
            ConsoleRulesPage.all.flatMap { page in
                page.settings.flatMap { [$0.show, $0.put] }
                    + page.lists.map(\.operations).flatMap {
                        [$0.list, $0.show, $0.put, $0.remove]
                    }
            })
        for operation in AdministrativeOperation.allCases {
            switch Self.place(of: operation) {
            case .project(let path):
                #expect(patterns.contains(ConsoleRouteGuard.project + path), "\(operation)")
            case .console(let path): #expect(patterns.contains("/console" + path), "\(operation)")
            case .rules: #expect(drawn.contains(operation), "\(operation)")
            case .none(let reason):
                #expect(!reason.isEmpty && !drawn.contains(operation), "\(operation)")
            }
        }
    }

    /// Members that no form asks for, and why.
    private static let unasked = [
        "Client.client_id": "never changes", "Client.response_types": "code is the only one",
        "Client.disabled": "a button", "Person.username": "never changes here",
        "Person.password": "nobody's but theirs: there is the way back",
        "Person.password_must_change": "always, for the first password that a button sets",
        "Person.disabled": "a button", "SigningFingerprint.owner": "whoever adds it",
    ]

    @Test("every member that the Admin API takes has a field, or a reason why not")
    func members() throws {
        let schemas = try JSONParser.parse(Array(AdminSchemas.all.utf8), maximumBytes: 65_536)
        var asked: [String: Set<String>] = [
            "Client": Set(ConsoleClientFields.all.map(\.name)),
            "Person": Set(ConsolePersonDetails.fields.map(\.name)),
        ]
        for page in ConsoleRulesPage.all {
            // The other settings of a project have separate pages.
            for settings in page.settings where settings.put != .putProject {
                let schema = try #require(settings.put.documentation.body)
                asked[schema, default: []].formUnion(settings.fields.map(\.name))
            }
            for list in page.lists {
                let schema = try #require(list.operations.put.documentation.body)
                asked[schema] = Set((list.fields + list.fixed).map(\.name) + [list.key])
            }
        }
        for (name, fields) in asked {
            let members = try #require(schemas[name]?["properties"]?.object, "\(name)").members
            let taken = members.filter { $0.value["readOnly"]?.bool != true }.map(\.name)
            for member in Set(taken).subtracting(fields) {
                #expect(Self.unasked["\(name).\(member)"] != nil, "\(name).\(member)")
            }
            for field in fields.subtracting(members.map(\.name)) {
                Issue.record("\(name).\(field) is not the Admin API's")
            }
        }
    }
}
