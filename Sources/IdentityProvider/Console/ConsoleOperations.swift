// SPDX-License-Identifier: Apache-2.0

extension ConsoleAction {
    /// What a call of the Admin API stands for, by its `operationId`. A call that is not here is
    /// nobody's in the console: it belongs to whoever holds the admin token.
    package static let operations: [String: ConsoleAction] = [
        "listProjects": .seeProject, "showProject": .seeProject, "putProject": .changeProject,
        "removeProject": .removeProject,
        "listPeople": .seePeople, "showPerson": .seePeople, "putPerson": .changePeople,
        "endSessions": .changePeople, "removeInstallation": .changePeople,
        "openReRegistration": .changePeople, "closeReRegistration": .changePeople,
        "removePerson": .removePeople,
        "listDevices": .seeDevices, "showDevice": .seeDevices, "revokeDevice": .endDevices,
        "listClients": .seeClients, "showClient": .seeClients, "putClient": .changeClients,
        "removeClient": .removeClients,
        "listIssuerKeys": .seeIssuerKeys, "putIssuerKey": .changeIssuerKeys,
        "removeIssuerKey": .changeIssuerKeys,
        "listTestKeys": .seeTestKeys, "createTestKey": .makeTestKeys,
        "revokeTestKey": .revokeTestKeys, "sweepTestPeople": .sweepTestPeople,
        "listEntitlementSets": .seeEntitlements, "showEntitlements": .seeEntitlements,
        "putEntitlementSet": .changeEntitlementSets,
        "removeEntitlementSet": .changeEntitlementSets, "setEntitlements": .giveEntitlements,
        "listRegistrationTokens": .seeRegistrationTokens,
        "createRegistrationToken": .changeRegistrationTokens,
        "revokeRegistrationToken": .changeRegistrationTokens,
        "listAuditEvents": .seeAudit,
        "listKeys": .seeSigningKeys, "rotateKey": .changeSigningKeys,
        "retireKey": .changeSigningKeys,
        "listAdministrators": .seeAdministrators, "grantAdministrator": .changeAdministrators,
        "revokeAdministrator": .changeAdministrators,
    ]
}
