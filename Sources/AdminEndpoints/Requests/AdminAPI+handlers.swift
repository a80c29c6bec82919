// SPDX-License-Identifier: Apache-2.0
package import ProviderAdministration

extension AdminAPI {
    /// Returns what performs an operation: it parses the request and calls a service.
    package func handler(of operation: AdministrativeOperation) -> AdminEndpoint.Run {
        switch operation {
        case .exportState: StateEndpoints(provider: provider).export
        case .planState: StateEndpoints(provider: provider).plan
        case .applyState: StateEndpoints(provider: provider).apply
        case .showStore: wholeStore.status
        case .backUpStore:
            wholeStore.backup
        case .sweepStore: wholeStore.sweep
        case .rotateToken: TokenEndpoints(provider: provider, token: gate.token).rotate
        case .makeSetUpLink: TokenEndpoints(provider: provider, token: gate.token).makeSetUpLink
        case .listAuditEvents: AuditEndpoints(provider: provider).list
        case .listAdministrators: administrators.list
        case .grantAdministrator: administrators.grant
        case .revokeAdministrator:
            administrators.revoke
        case .listBelongings:
            administrators.belongings
        case .listAwaitedApprovals:
            administrators.awaited
        case .giveApproval: administrators.approve
        case .listProjects: ProjectEndpoints(provider: provider).list
        case .showProject: ProjectEndpoints(provider: provider).show
        case .putProject: ProjectEndpoints(provider: provider).put
        case .removeProject: ProjectEndpoints(provider: provider).remove
        case .listKeys: KeyEndpoints(scope: scope).list
        case .rotateKey: KeyEndpoints(scope: scope).rotate
        case .retireKey: KeyEndpoints(scope: scope).retire
        case .listEncryptionKeys: EncryptionKeyEndpoints(scope: scope).list
        case .rotateEncryptionKey: EncryptionKeyEndpoints(scope: scope).rotate
        case .retireEncryptionKey: EncryptionKeyEndpoints(scope: scope).retire
        case .listAPITokens: APITokenEndpoints(scope: scope).list
        case .createAPIToken: APITokenEndpoints(scope: scope).create
        case .handOverAPIToken: APITokenEndpoints(scope: scope).handOver
        case .revokeAPIToken: APITokenEndpoints(scope: scope).revoke
        case .listPeople: people.list
        case .showPerson: people.show
        case .putPerson: people.put
        case .removePerson: people.remove
        case .endSessions: people.signOut
        case .removeInstallation: people.removeInstallation
        case .releaseName: people.release
        case .invitePerson: InvitationEndpoints(scope: scope, notices: notices).invite
        case .withdrawInvitation: InvitationEndpoints(scope: scope, notices: notices).withdraw
        case .openReRegistration: ReRegistrationEndpoints(scope: scope, notices: notices).open
        case .closeReRegistration: ReRegistrationEndpoints(scope: scope, notices: notices).close
        case .listApprovals: ApprovalEndpoints(scope: scope).list
        case .askApproval: ApprovalEndpoints(scope: scope).ask
        case .listGroups: GroupEndpoints(scope: scope).list
        case .listGroupMembers: GroupEndpoints(scope: scope).members
        case .addGroupMember: GroupEndpoints(scope: scope).add
        case .removeGroupMember: GroupEndpoints(scope: scope).remove
        case .listEntitlementSets: EntitlementEndpoints(scope: scope).list
        case .putEntitlementSet: EntitlementEndpoints(scope: scope).put
        case .removeEntitlementSet: EntitlementEndpoints(scope: scope).remove
        case .giveEntitlementSet: BulkEntitlementEndpoints(scope: scope).assign
        case .takeEntitlementSet: BulkEntitlementEndpoints(scope: scope).remove
        case .listEntitlementSequences: SequenceEndpoints(scope: scope).list
        case .showEntitlementSequence: SequenceEndpoints(scope: scope).show
        case .putEntitlementSequence: SequenceEndpoints(scope: scope).put
        case .removeEntitlementSequence: SequenceEndpoints(scope: scope).remove
        case .showEntitlements: EntitlementEndpoints(scope: scope).show
        case .setEntitlements: EntitlementEndpoints(scope: scope).assign
        case .changeExpendables: ExpendableEndpoints(scope: scope).change
        case .listClients: ClientEndpoints(scope: scope).list
        case .showClient: ClientEndpoints(scope: scope).show
        case .putClient: ClientEndpoints(scope: scope).put
        case .removeClient: ClientEndpoints(scope: scope).remove
        case .listIssuerKeys: IssuerKeyEndpoints(scope: scope).list
        case .putIssuerKey: IssuerKeyEndpoints(scope: scope).put
        case .removeIssuerKey: IssuerKeyEndpoints(scope: scope).remove
        case .listTestKeys: TestKeyEndpoints(scope: scope).list
        case .createTestKey: TestKeyEndpoints(scope: scope).create
        case .revokeTestKey: TestKeyEndpoints(scope: scope).revoke
        case .sweepTestPeople: TestKeyEndpoints(scope: scope).sweep
        case .listDevices: DeviceEndpoints(scope: scope).list
        case .showDevice: DeviceEndpoints(scope: scope).show
        case .revokeDevice: DeviceEndpoints(scope: scope).revoke
        case .removeDeviceUser: DeviceEndpoints(scope: scope).removeUser
        case .putDeviceCompliance: DeviceEndpoints(scope: scope).comply
        case .listRegistrationTokens: RegistrationTokenEndpoints(scope: scope).list
        case .createRegistrationToken: RegistrationTokenEndpoints(scope: scope).create
        case .revokeRegistrationToken: RegistrationTokenEndpoints(scope: scope).revoke
        case .listIdentityProviders: IdentityProviderEndpoints(scope: scope).list
        case .showIdentityProvider: IdentityProviderEndpoints(scope: scope).show
        case .putIdentityProvider: IdentityProviderEndpoints(scope: scope).put
        case .removeIdentityProvider: IdentityProviderEndpoints(scope: scope).remove
        case .listCustomIdentityProviders: lists.list(.customProviders)
        case .showCustomIdentityProvider: lists.show(.customProviders)
        case .putCustomIdentityProvider: lists.put(.customProviders)
        case .removeCustomIdentityProvider:
            lists.remove(.customProviders)
        case .listSigningFingerprints: lists.list(.fingerprints)
        case .showSigningFingerprint: lists.show(.fingerprints)
        case .putSigningFingerprint: lists.put(.fingerprints)
        case .removeSigningFingerprint: lists.remove(.fingerprints)
        case .listApplicationRules: lists.list(.applications)
        case .showApplicationRule: lists.show(.applications)
        case .putApplicationRule: lists.put(.applications)
        case .removeApplicationRule: lists.remove(.applications)
        case .listSystemRules: lists.list(.systems)
        case .showSystemRule: lists.show(.systems)
        case .putSystemRule: lists.put(.systems)
        case .removeSystemRule: lists.remove(.systems)
        case .showTokenPolicy: settings.show(.tokens)
        case .putTokenPolicy: settings.put(.tokens)
        case .showWebAuthnPolicy: settings.show(.webauthn)
        case .putWebAuthnPolicy: settings.put(.webauthn)
        case .showPlatformSSOPolicy: settings.show(.platformSSO)
        case .putPlatformSSOPolicy: settings.put(.platformSSO)
        case .showPINPolicy: settings.show(.pin)
        case .putPINPolicy: settings.put(.pin)
        case .showApprovalPolicy: settings.show(.approvals)
        case .putApprovalPolicy: settings.put(.approvals)
        case .showAssociatedApps: settings.show(.associatedApps)
        case .putAssociatedApps: settings.put(.associatedApps)
        case .showTheme: settings.show(.theme)
        case .putTheme: settings.put(.theme)
        case .showRegistrationPolicy: settings.show(.registration)
        case .putRegistrationPolicy: settings.put(.registration)
        case .showVersionPolicy: settings.show(.versions)
        case .putVersionPolicy: settings.put(.versions)
        case .showAppleAttestation: settings.show(.apple)
        case .putAppleAttestation: settings.put(.apple)
        case .showAndroidAttestation: settings.show(.android)
        case .putAndroidAttestation: settings.put(.android)
        }
    }

    private var scope: ProjectScope { ProjectScope(provider) }
    private var wholeStore: StoreEndpoints {
        StoreEndpoints(provider: provider, backups: backups)
    }
    private var administrators: AdministratorEndpoints {
        AdministratorEndpoints(provider: provider, notices: notices)
    }
    private var people: PeopleEndpoints {
        PeopleEndpoints(scope: scope, notices: notices)
    }
    private var lists: ProjectListEndpoints {
        ProjectListEndpoints(scope: scope)
    }
    private var settings: ProjectPartEndpoints {
        ProjectPartEndpoints(scope: scope)
    }
}
