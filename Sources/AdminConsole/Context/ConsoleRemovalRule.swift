// SPDX-License-Identifier: Apache-2.0
import ProviderAdministration

/// The rule for the removal of a resource in the console. An operation without a rule removes nothing.
enum ConsoleRemovalRule: Sendable, Equatable {
    /// The console has all of the resource, and its removal affects nothing else. It can be restored
    /// for ten minutes by this operation, which creates it unless it exists. The right to call that
    /// is the right to restore.
    case undo(AdministrativeOperation)
    /// The removal destroys what cannot be created again: a key, a secret, an account, tokens, or
    /// links of people. The administrator types the name first.
    case typed
    /// Neither restoring nor typing the name is needed, for this reason.
    case neither(String)

    init?(_ operation: AdministrativeOperation) {
        switch operation {
        // A set or sequence can only be removed if no person has it.
        case .removeEntitlementSet: self = .undo(.putEntitlementSet)
        case .removeEntitlementSequence: self = .undo(.putEntitlementSequence)
        // Of keys of others, only the public part is stored.
        case .removeIssuerKey: self = .undo(.putIssuerKey)
        case .removeSigningFingerprint: self = .undo(.putSigningFingerprint)
        case .removeApplicationRule: self = .undo(.putApplicationRule)
        case .removeSystemRule: self = .undo(.putSystemRule)
        // Requests to it are signed with the project's keys, so that it has no secret.
        case .removeCustomIdentityProvider: self = .undo(.putCustomIdentityProvider)
        case .removeGroupMember: self = .undo(.addGroupMember)

        // Its secret, all consents to it and its tokens. Its client secret, and the links of all
        // people to it.
        case .removeClient, .removeIdentityProvider,
            // Private keys and hashes of secrets, which the provider cannot restore.
            .revokeTestKey, .revokeRegistrationToken, .revokeAPIToken, .retireKey,
            .retireEncryptionKey,
            // Keys of people and devices, and everything issued to them.
            .removePerson, .sweepTestPeople, .removeInstallation, .revokeDevice,
            .removeDeviceUser, .removeProject,
            // API tokens depend on it.
            .revokeAdministrator:
            self = .typed

        case .endSessions: self = .neither("they sign in again")
        case .closeReRegistration: self = .neither("another link is opened")
        case .releaseName: self = .neither("no page does it")
        case .withdrawInvitation: self = .neither("they are invited again")
        case .takeEntitlementSet: self = .neither("a preview shows the people first")

        case .exportState, .planState, .applyState, .showStore, .backUpStore, .sweepStore,
            .rotateToken, .makeSetUpLink, .listAuditEvents, .listAdministrators,
            .grantAdministrator, .listBelongings, .listAwaitedApprovals, .giveApproval,
            .listProjects, .showProject, .putProject, .listKeys, .rotateKey, .listEncryptionKeys,
            .rotateEncryptionKey, .listAPITokens, .createAPIToken, .handOverAPIToken, .listPeople,
            .showPerson, .putPerson, .invitePerson, .openReRegistration, .listApprovals,
            .askApproval, .listGroups, .listGroupMembers, .addGroupMember, .listEntitlementSets,
            .putEntitlementSet, .giveEntitlementSet, .listEntitlementSequences,
            .showEntitlementSequence, .putEntitlementSequence, .showEntitlements,
            .setEntitlements, .changeExpendables, .listClients, .showClient, .putClient,
            .listIssuerKeys, .putIssuerKey, .listTestKeys, .createTestKey, .listDevices,
            .showDevice, .putDeviceCompliance, .listRegistrationTokens, .createRegistrationToken,
            .listIdentityProviders, .showIdentityProvider, .putIdentityProvider,
            .listCustomIdentityProviders, .showCustomIdentityProvider, .putCustomIdentityProvider,
            .listSigningFingerprints, .showSigningFingerprint, .putSigningFingerprint,
            .listApplicationRules, .showApplicationRule, .putApplicationRule, .listSystemRules,
            .showSystemRule, .putSystemRule, .showTokenPolicy, .putTokenPolicy,
            .showWebAuthnPolicy, .putWebAuthnPolicy, .showPlatformSSOPolicy,
            .putPlatformSSOPolicy, .showPINPolicy, .putPINPolicy, .showApprovalPolicy,
            .putApprovalPolicy, .showAssociatedApps, .putAssociatedApps, .showTheme, .putTheme,
            .showRegistrationPolicy, .putRegistrationPolicy, .showVersionPolicy,
            .putVersionPolicy, .showAppleAttestation, .putAppleAttestation,
            .showAndroidAttestation, .putAndroidAttestation:
            return nil
        }
    }
}
