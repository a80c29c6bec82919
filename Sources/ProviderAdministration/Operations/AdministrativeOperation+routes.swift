// SPDX-License-Identifier: Apache-2.0
package import JOSE

extension AdministrativeOperation {
    package var route: Route { row.route }

    /// The action of an administrator that allows the call; `nil` if it requires the operator token.
    package var right: ConsoleAction? { row.right }

    /// The same for a call with this body. `putPerson` is a support action if it changes only
    /// `disabled`.
    package func right(for body: JSONValue) -> ConsoleAction? {
        self == .putPerson && body.object?.names != ["disabled"] ? .editPeople : right
    }

    private struct Row {
        let route: Route
        let right: ConsoleAction?

        static func provider(_ method: Method, _ path: String, _ right: ConsoleAction?) -> Row {
            Row(route: Route(method: method, path: path), right: right)
        }

        // Of a project.

        static func get(_ path: String, _ right: ConsoleAction) -> Row {
            provider(.get, project + path, right)
        }

        static func put(_ path: String, _ right: ConsoleAction) -> Row {
            provider(.put, project + path, right)
        }

        static func post(_ path: String, _ right: ConsoleAction) -> Row {
            provider(.post, project + path, right)
        }

        static func delete(_ path: String, _ right: ConsoleAction) -> Row {
            provider(.delete, project + path, right)
        }

        private static let project = "/projects/{project}"
    }

    private var row: Row {
        switch self {
        // The whole provider
        case .exportState: .provider(.get, "/state", .exportState)
        case .planState: .provider(.post, "/state/plan", .applyState)
        case .applyState: .provider(.post, "/state/apply", .applyState)
        case .showStore: .provider(.get, "/store", nil)
        case .backUpStore: .provider(.post, "/store/backup", nil)
        case .sweepStore: .provider(.post, "/store/sweep", nil)
        case .rotateToken: .provider(.post, "/token/rotate", nil)
        case .makeSetUpLink: .provider(.post, "/setup-link", nil)
        case .listAuditEvents: .provider(.get, "/audit", .seeAudit)
        // Administrators
        case .listAdministrators: .provider(.get, "/administrators", .seeAdministrators)
        case .grantAdministrator: .provider(.put, "/administrators/{person}", .changeAdministrators)
        case .revokeAdministrator:
            .provider(.delete, "/administrators/{person}", .changeAdministrators)
        case .listBelongings:
            .provider(.get, "/administrators/{person}/belongings", .seeAdministrators)
        case .listAwaitedApprovals: .provider(.get, "/awaited-approvals", .seeAdministrators)
        case .giveApproval: .provider(.post, "/awaited-approvals/{person}", .changeAdministrators)
        // Projects
        case .listProjects: .provider(.get, "/projects", .seeProject)
        case .showProject: .provider(.get, "/projects/{project}", .seeProject)
        case .putProject: .provider(.put, "/projects/{project}", .changeProject)
        case .removeProject: .provider(.delete, "/projects/{project}", .removeProject)
        case .listKeys: .get("/keys", .seeSigningKeys)
        case .rotateKey: .post("/keys/rotate", .changeSigningKeys)
        case .retireKey: .post("/keys/{kid}/retire", .changeSigningKeys)
        case .listEncryptionKeys: .get("/encryption-keys", .seeEncryptionKeys)
        case .rotateEncryptionKey: .post("/encryption-keys/rotate", .changeEncryptionKeys)
        case .retireEncryptionKey: .post("/encryption-keys/{key}/retire", .changeEncryptionKeys)
        case .listAPITokens: .get("/api-tokens", .seeAPITokens)
        case .createAPIToken: .post("/api-tokens", .changeAPITokens)
        case .handOverAPIToken: .put("/api-tokens/{token}/maker", .changeAPITokens)
        case .revokeAPIToken: .delete("/api-tokens/{token}", .changeAPITokens)
        // People
        case .listPeople: .get("/people", .seePeople)
        case .showPerson: .get("/people/{person}", .seePeople)
        case .putPerson: .put("/people/{person}", .changePeople)
        case .removePerson: .delete("/people/{person}", .removePeople)
        case .endSessions: .delete("/people/{person}/sessions", .changePeople)
        case .removeInstallation:
            .delete("/people/{person}/installations/{installation}", .changePeople)
        case .releaseName: .delete("/held-names/{name}", .removePeople)
        case .invitePerson: .post("/people/{person}/invitation", .editPeople)
        case .withdrawInvitation: .delete("/people/{person}/invitation", .editPeople)
        case .openReRegistration: .post("/people/{person}/re-registration", .takeOverPeople)
        case .closeReRegistration: .delete("/people/{person}/re-registration", .changePeople)
        case .listApprovals: .get("/people/{person}/approvals", .seeApprovals)
        case .askApproval: .post("/people/{person}/approvals", .askApprovals)
        case .listGroups: .get("/groups", .seeGroups)
        case .listGroupMembers: .get("/groups/{group}/members", .seeGroups)
        case .addGroupMember: .put("/groups/{group}/members/{person}", .changeGroups)
        case .removeGroupMember: .delete("/groups/{group}/members/{person}", .changeGroups)
        // Entitlements
        case .listEntitlementSets: .get("/entitlement-sets", .seeEntitlements)
        case .putEntitlementSet: .put("/entitlement-sets/{set}", .changeEntitlementSets)
        case .removeEntitlementSet: .delete("/entitlement-sets/{set}", .changeEntitlementSets)
        case .giveEntitlementSet: .post("/entitlement-sets/{set}/give", .giveEntitlements)
        case .takeEntitlementSet: .post("/entitlement-sets/{set}/take", .giveEntitlements)
        case .listEntitlementSequences: .get("/entitlement-sequences", .seeEntitlements)
        case .showEntitlementSequence: .get("/entitlement-sequences/{sequence}", .seeEntitlements)
        case .putEntitlementSequence:
            .put("/entitlement-sequences/{sequence}", .changeEntitlementSets)
        case .removeEntitlementSequence:
            .delete("/entitlement-sequences/{sequence}", .changeEntitlementSets)
        case .showEntitlements: .get("/people/{person}/entitlements", .seeEntitlements)
        case .setEntitlements: .put("/people/{person}/entitlements", .giveEntitlements)
        case .changeExpendables:
            .post("/people/{person}/entitlements/expendable", .giveEntitlements)
        // Clients and devices
        case .listClients: .get("/clients", .seeClients)
        case .showClient: .get("/clients/{client}", .seeClients)
        case .putClient: .put("/clients/{client}", .changeClients)
        case .removeClient: .delete("/clients/{client}", .removeClients)
        case .listIssuerKeys: .get("/issuer-keys", .seeIssuerKeys)
        case .putIssuerKey: .put("/issuer-keys", .changeIssuerKeys)
        case .removeIssuerKey: .delete("/issuer-keys/{key}", .changeIssuerKeys)
        case .listTestKeys: .get("/test-keys", .seeTestKeys)
        case .createTestKey: .post("/test-keys", .makeTestKeys)
        case .revokeTestKey: .delete("/test-keys/{key}", .revokeTestKeys)
        case .sweepTestPeople: .post("/test-keys/sweep", .sweepTestPeople)
        case .listDevices: .get("/devices", .seeDevices)
        case .showDevice: .get("/devices/{device}", .seeDevices)
        case .revokeDevice: .post("/devices/{device}/revoke", .endDevices)
        case .removeDeviceUser: .delete("/devices/{device}/users/{person}", .endDevices)
        case .putDeviceCompliance: .put("/devices/{device}/compliance", .endDevices)
        case .listRegistrationTokens: .get("/registration-tokens", .seeRegistrationTokens)
        case .createRegistrationToken: .post("/registration-tokens", .changeRegistrationTokens)
        case .revokeRegistrationToken:
            .delete("/registration-tokens/{token}", .changeRegistrationTokens)
        case .listIdentityProviders: .get("/identity-providers", .seeIdentityProviders)
        case .showIdentityProvider: .get("/identity-providers/{identifier}", .seeIdentityProviders)
        case .putIdentityProvider:
            .put("/identity-providers/{identifier}", .changeIdentityProviders)
        case .removeIdentityProvider:
            .delete("/identity-providers/{identifier}", .changeIdentityProviders)
        // Lists in the settings of a project
        case .listCustomIdentityProviders: .get("/custom-identity-providers", .seeIdentityProviders)
        case .showCustomIdentityProvider:
            .get("/custom-identity-providers/{name}", .seeIdentityProviders)
        case .putCustomIdentityProvider:
            .put("/custom-identity-providers/{name}", .changeIdentityProviders)
        case .removeCustomIdentityProvider:
            .delete("/custom-identity-providers/{name}", .changeIdentityProviders)
        case .listSigningFingerprints: .get("/signing-fingerprints", .seeFingerprints)
        case .showSigningFingerprint: .get("/signing-fingerprints/{name}", .seeFingerprints)
        case .putSigningFingerprint: .put("/signing-fingerprints/{name}", .changeFingerprints)
        case .removeSigningFingerprint: .delete("/signing-fingerprints/{name}", .changeFingerprints)
        case .listApplicationRules: .get("/applications", .seeVersions)
        case .showApplicationRule: .get("/applications/{name}", .seeVersions)
        case .putApplicationRule: .put("/applications/{name}", .changeVersions)
        case .removeApplicationRule: .delete("/applications/{name}", .changeVersions)
        case .listSystemRules: .get("/systems", .seeVersions)
        case .showSystemRule: .get("/systems/{name}", .seeVersions)
        case .putSystemRule: .put("/systems/{name}", .changeVersions)
        case .removeSystemRule: .delete("/systems/{name}", .changeVersions)
        // Groups of settings of a project
        case .showTokenPolicy: .get("/token-policy", .seeTokenPolicy)
        case .putTokenPolicy: .put("/token-policy", .changeTokenPolicy)
        case .showWebAuthnPolicy: .get("/webauthn-policy", .seeWebAuthnPolicy)
        case .putWebAuthnPolicy: .put("/webauthn-policy", .changeWebAuthnPolicy)
        case .showPlatformSSOPolicy: .get("/platform-sso-policy", .seePlatformSSOPolicy)
        case .putPlatformSSOPolicy: .put("/platform-sso-policy", .changePlatformSSOPolicy)
        case .showPINPolicy: .get("/pin-policy", .seePINPolicy)
        case .putPINPolicy: .put("/pin-policy", .changePINPolicy)
        case .showApprovalPolicy: .get("/approval-policy", .seeApprovalPolicy)
        case .putApprovalPolicy: .put("/approval-policy", .changeApprovalPolicy)
        case .showAssociatedApps: .get("/associated-apps", .seeAppRegistration)
        case .putAssociatedApps: .put("/associated-apps", .changeAppRegistration)
        case .showTheme: .get("/theme", .seeProject)
        case .putTheme: .put("/theme", .changeProject)
        case .showRegistrationPolicy: .get("/registration-policy", .seeAppRegistration)
        case .putRegistrationPolicy: .put("/registration-policy", .changeAppRegistration)
        case .showVersionPolicy: .get("/version-policy", .seeVersions)
        case .putVersionPolicy: .put("/version-policy", .changeVersions)
        case .showAppleAttestation: .get("/attestation/apple", .seeAppRegistration)
        case .putAppleAttestation: .put("/attestation/apple", .changeAppRegistration)
        case .showAndroidAttestation: .get("/attestation/android", .seeAppRegistration)
        case .putAndroidAttestation: .put("/attestation/android", .changeAppRegistration)
        }
    }
}
