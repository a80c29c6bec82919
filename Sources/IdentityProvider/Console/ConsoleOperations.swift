// SPDX-License-Identifier: Apache-2.0
package import JOSE

extension ConsoleAction {
    /// What a call stands for that names these things: putting a person is a help when it says no
    /// more than whether they are disabled. `nil`: nobody's but the operator's.
    package static func needed(by operation: String, body: JSONValue) -> ConsoleAction? {
        if operation == "putPerson", body.object?.names != ["disabled"] { return .editPeople }
        return operations[operation]
    }

    /// What a call of the Admin API stands for, by its `operationId`. A call that is not here is
    /// nobody's in the console: it belongs to whoever holds the admin token.
    package static let operations: [String: ConsoleAction] = [
        "listProjects": .seeProject, "showProject": .seeProject, "putProject": .changeProject,
        "removeProject": .removeProject,
        "showTheme": .seeProject, "putTheme": .changeProject,
        "listPeople": .seePeople, "showPerson": .seePeople, "putPerson": .changePeople,
        "endSessions": .changePeople, "removeInstallation": .changePeople,
        "openReRegistration": .changePeople, "closeReRegistration": .changePeople,
        "removePerson": .removePeople,
        "listDevices": .seeDevices, "showDevice": .seeDevices, "revokeDevice": .endDevices,
        "removeDeviceUser": .endDevices, "putDeviceCompliance": .endDevices,
        "listClients": .seeClients, "showClient": .seeClients, "putClient": .changeClients,
        "removeClient": .removeClients,
        "listIssuerKeys": .seeIssuerKeys, "putIssuerKey": .changeIssuerKeys,
        "removeIssuerKey": .changeIssuerKeys,
        "listTestKeys": .seeTestKeys, "createTestKey": .makeTestKeys,
        "revokeTestKey": .revokeTestKeys, "sweepTestPeople": .sweepTestPeople,
        "listEntitlementSets": .seeEntitlements, "showEntitlements": .seeEntitlements,
        "putEntitlementSet": .changeEntitlementSets,
        "removeEntitlementSet": .changeEntitlementSets, "setEntitlements": .giveEntitlements,
        "giveEntitlementSet": .giveEntitlements, "takeEntitlementSet": .giveEntitlements,
        "listEntitlementSequences": .seeEntitlements, "showEntitlementSequence": .seeEntitlements,
        "putEntitlementSequence": .changeEntitlementSets,
        "removeEntitlementSequence": .changeEntitlementSets,
        "changeExpendables": .giveEntitlements,
        "listRegistrationTokens": .seeRegistrationTokens,
        "createRegistrationToken": .changeRegistrationTokens,
        "revokeRegistrationToken": .changeRegistrationTokens,
        "listAuditEvents": .seeAudit,
        "listIdentityProviders": .seeIdentityProviders,
        "showIdentityProvider": .seeIdentityProviders,
        "putIdentityProvider": .changeIdentityProviders,
        "removeIdentityProvider": .changeIdentityProviders,
        "listCustomIdentityProviders": .seeIdentityProviders,
        "showCustomIdentityProvider": .seeIdentityProviders,
        "putCustomIdentityProvider": .changeIdentityProviders,
        "removeCustomIdentityProvider": .changeIdentityProviders,
        "showRegistrationPolicy": .seeAppRegistration,
        "putRegistrationPolicy": .changeAppRegistration,
        "showAssociatedApps": .seeAppRegistration, "putAssociatedApps": .changeAppRegistration,
        "showAppleAttestation": .seeAppRegistration,
        "putAppleAttestation": .changeAppRegistration,
        "showAndroidAttestation": .seeAppRegistration,
        "putAndroidAttestation": .changeAppRegistration,
        "listSigningFingerprints": .seeFingerprints, "showSigningFingerprint": .seeFingerprints,
        "putSigningFingerprint": .changeFingerprints,
        "removeSigningFingerprint": .changeFingerprints,
        "showVersionPolicy": .seeVersions, "putVersionPolicy": .changeVersions,
        "listApplicationRules": .seeVersions, "showApplicationRule": .seeVersions,
        "putApplicationRule": .changeVersions, "removeApplicationRule": .changeVersions,
        "listSystemRules": .seeVersions, "showSystemRule": .seeVersions,
        "putSystemRule": .changeVersions, "removeSystemRule": .changeVersions,
        "showTokenPolicy": .seeTokenPolicy, "putTokenPolicy": .changeTokenPolicy,
        "showWebAuthnPolicy": .seeWebAuthnPolicy, "putWebAuthnPolicy": .changeWebAuthnPolicy,
        "showPlatformSSOPolicy": .seePlatformSSOPolicy,
        "putPlatformSSOPolicy": .changePlatformSSOPolicy,
        "showPINPolicy": .seePINPolicy, "putPINPolicy": .changePINPolicy,
        "showApprovalPolicy": .seeApprovalPolicy, "putApprovalPolicy": .changeApprovalPolicy,
        "listApprovals": .seeApprovals, "askApproval": .askApprovals,
        "listEncryptionKeys": .seeEncryptionKeys, "rotateEncryptionKey": .changeEncryptionKeys,
        "retireEncryptionKey": .changeEncryptionKeys,
        "listKeys": .seeSigningKeys, "rotateKey": .changeSigningKeys,
        "retireKey": .changeSigningKeys,
        "listAPITokens": .seeAPITokens, "createAPIToken": .changeAPITokens,
        "revokeAPIToken": .changeAPITokens, "handOverAPIToken": .changeAPITokens,
        "exportState": .exportState, "planState": .applyState, "applyState": .applyState,
        "listBelongings": .seeAdministrators,
        "listAdministrators": .seeAdministrators, "grantAdministrator": .changeAdministrators,
        "revokeAdministrator": .changeAdministrators,
    ]
}
