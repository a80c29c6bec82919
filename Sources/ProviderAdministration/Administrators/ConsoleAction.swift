// SPDX-License-Identifier: Apache-2.0
package import Storage

/// An action of an administrator. ``roles`` are the roles that allow it.
package enum ConsoleAction: String, Sendable, CaseIterable {
    case seeProject, changeProject, createProject, removeProject
    case seePeople, changePeople, editPeople, removePeople, takeOverPeople
    case seeGroups, changeGroups
    case seeDevices, endDevices
    case seeClients, changeClients, removeClients
    case seeIssuerKeys, changeIssuerKeys
    case seeTestKeys, makeTestKeys, revokeTestKeys, sweepTestPeople
    case seeEntitlements, changeEntitlementSets, giveEntitlements
    case seeRegistrationTokens, changeRegistrationTokens
    case seeAudit, exportAudit
    case seeIdentityProviders, changeIdentityProviders
    case seeAppRegistration, changeAppRegistration
    case seeFingerprints, changeFingerprints
    case seeVersions, changeVersions
    case seePINPolicy, changePINPolicy
    case seeApprovalPolicy, changeApprovalPolicy, seeApprovals, askApprovals
    case seeTokenPolicy, changeTokenPolicy
    case seeWebAuthnPolicy, changeWebAuthnPolicy
    case seePlatformSSOPolicy, changePlatformSSOPolicy
    case seeSigningKeys, changeSigningKeys
    case seeEncryptionKeys, changeEncryptionKeys
    case seeAPITokens, changeAPITokens
    case exportState, applyState
    case seeAdministrators, changeAdministrators

    /// The roles that allow the action in their project.
    ///
    /// Developers may revoke the test keys that they created; `revokeTestKeys` applies to all test
    /// keys. `changePeople` supports or disables people. `editPeople` creates people and changes
    /// their profiles. `takeOverPeople` creates links with which a new key can be registered for an
    /// account.
    package var roles: Set<Administrator.Role> {
        switch self {
        case .createProject, .removeProject, .changeAdministrators:
            [.owner]
        case .seeAdministrators:
            [.owner, .auditor]
        case .changeProject, .editPeople, .removePeople, .takeOverPeople, .changeGroups,
            .changeClients, .removeClients, .changeIssuerKeys, .revokeTestKeys, .sweepTestPeople,
            .changeEntitlementSets, .changeRegistrationTokens, .changeIdentityProviders,
            .changeAppRegistration, .changeVersions, .changePINPolicy, .changeApprovalPolicy,
            .changeTokenPolicy, .changeWebAuthnPolicy, .changePlatformSSOPolicy, .changeSigningKeys,
            .changeEncryptionKeys, .changeAPITokens, .applyState:
            [.owner, .projectAdministrator]
        case .exportAudit, .seeEncryptionKeys, .seeAPITokens, .exportState:
            [.owner, .projectAdministrator, .auditor]
        case .makeTestKeys, .changeFingerprints:
            [.owner, .projectAdministrator, .developer]
        case .changePeople, .endDevices, .giveEntitlements, .askApprovals:
            [.owner, .projectAdministrator, .support]
        case .seeClients, .seeIssuerKeys, .seeTestKeys, .seeIdentityProviders, .seeAppRegistration,
            .seeFingerprints, .seeSigningKeys:
            [.owner, .projectAdministrator, .developer, .auditor]
        case .seePeople, .seeGroups, .seeDevices, .seeRegistrationTokens, .seeAudit, .seeApprovals,
            .seePlatformSSOPolicy:
            [.owner, .projectAdministrator, .support, .auditor]
        case .seeProject, .seeEntitlements, .seeVersions, .seePINPolicy, .seeApprovalPolicy,
            .seeTokenPolicy, .seeWebAuthnPolicy:
            Set(Administrator.Role.allCases)
        }
    }

    /// Whether the action changes a person or controls the account.
    package var changesPeople: Bool {
        [.changePeople, .editPeople, .removePeople, .takeOverPeople, .changeGroups].contains(self)
    }

    package func isAllowed(to role: Administrator.Role) -> Bool { roles.contains(role) }

    /// Whether the action concerns all projects, so that a role in one project does not allow it.
    package var concernsAllProjects: Bool {
        [.createProject, .seeAdministrators, .changeAdministrators].contains(self)
    }
}
