// SPDX-License-Identifier: Apache-2.0
package import Storage

/// An action of an administrator. ``table`` defines the roles that allow it.
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

    /// Developers may revoke the test keys that they created; `revokeTestKeys` applies to all test
    /// keys. `changePeople` supports or disables people. `editPeople` creates people and changes
    /// their profiles. `takeOverPeople` creates links with which a new key can be registered for an
    /// account.
    private static let table = """
                                  project-
                         owner administrator developer support auditor
        seeProject                yes   yes    yes    yes    yes
        changeProject             yes   yes    -      -      -
        createProject             yes   -      -      -      -
        removeProject             yes   -      -      -      -
        seePeople                 yes   yes    -      yes    yes
        changePeople              yes   yes    -      yes    -
        editPeople                yes   yes    -      -      -
        removePeople              yes   yes    -      -      -
        takeOverPeople            yes   yes    -      -      -
        seeGroups                 yes   yes    -      yes    yes
        changeGroups              yes   yes    -      -      -
        seeDevices                yes   yes    -      yes    yes
        endDevices                yes   yes    -      yes    -
        seeClients                yes   yes    yes    -      yes
        changeClients             yes   yes    -      -      -
        removeClients             yes   yes    -      -      -
        seeIssuerKeys             yes   yes    yes    -      yes
        changeIssuerKeys          yes   yes    -      -      -
        seeTestKeys               yes   yes    yes    -      yes
        makeTestKeys              yes   yes    yes    -      -
        revokeTestKeys            yes   yes    -      -      -
        sweepTestPeople           yes   yes    -      -      -
        seeEntitlements           yes   yes    yes    yes    yes
        changeEntitlementSets     yes   yes    -      -      -
        giveEntitlements          yes   yes    -      yes    -
        seeRegistrationTokens     yes   yes    -      yes    yes
        changeRegistrationTokens  yes   yes    -      -      -
        seeAudit                  yes   yes    -      yes    yes
        exportAudit               yes   yes    -      -      yes
        seeIdentityProviders      yes   yes    yes    -      yes
        changeIdentityProviders   yes   yes    -      -      -
        seeAppRegistration        yes   yes    yes    -      yes
        changeAppRegistration     yes   yes    -      -      -
        seeFingerprints           yes   yes    yes    -      yes
        changeFingerprints        yes   yes    yes    -      -
        seeVersions               yes   yes    yes    yes    yes
        changeVersions            yes   yes    -      -      -
        seePINPolicy              yes   yes    yes    yes    yes
        changePINPolicy           yes   yes    -      -      -
        seeApprovalPolicy         yes   yes    yes    yes    yes
        changeApprovalPolicy      yes   yes    -      -      -
        seeApprovals              yes   yes    -      yes    yes
        askApprovals              yes   yes    -      yes    -
        seeTokenPolicy            yes   yes    yes    yes    yes
        changeTokenPolicy         yes   yes    -      -      -
        seeWebAuthnPolicy         yes   yes    yes    yes    yes
        changeWebAuthnPolicy      yes   yes    -      -      -
        seePlatformSSOPolicy      yes   yes    -      yes    yes
        changePlatformSSOPolicy   yes   yes    -      -      -
        seeSigningKeys            yes   yes    yes    -      yes
        changeSigningKeys         yes   yes    -      -      -
        seeEncryptionKeys         yes   yes    -      -      yes
        changeEncryptionKeys      yes   yes    -      -      -
        seeAPITokens              yes   yes    -      -      yes
        changeAPITokens           yes   yes    -      -      -
        exportState               yes   yes    -      -      yes
        applyState                yes   yes    -      -      -
        seeAdministrators         yes   -      -      -      yes
        changeAdministrators      yes   -      -      -      -
        """

    /// The columns of ``table``. A row that cannot be parsed allows no role.
    private static let columns: [Administrator.Role] = [
        .owner, .projectAdministrator, .developer, .support, .auditor,
    ]

    private static let allowed: [String: Set<Administrator.Role>] = {
        var allowed: [String: Set<Administrator.Role>] = [:]
        for line in table.split(separator: "\n") {
            let cells = line.split(separator: " ")
            guard cells.count == columns.count + 1 else { continue }
            let roles = zip(columns, cells.dropFirst()).filter { $0.1 == "yes" }.map(\.0)
            allowed[String(cells[0])] = Set(roles)
        }
        return allowed
    }()

    /// Whether the role allows the action in its project.
    package func isAllowed(to role: Administrator.Role) -> Bool {
        Self.allowed[rawValue]?.contains(role) ?? false
    }

    /// Whether the action concerns all projects, so that a role in one project does not allow it.
    package var concernsAllProjects: Bool {
        [.createProject, .seeAdministrators, .changeAdministrators].contains(self)
    }
}
