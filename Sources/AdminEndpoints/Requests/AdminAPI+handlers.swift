// SPDX-License-Identifier: Apache-2.0
package import ProviderAdministration

extension AdminAPI {
    /// Returns what performs an operation: it parses the request and calls a service.
    package func handler(of operation: AdministrativeOperation) -> AdminEndpoint.Run {
        switch operation {
        case .exportState: StateEndpoints(provider: provider).export
        case .planState: StateEndpoints(provider: provider).plan
        case .applyState: StateEndpoints(provider: provider).apply
        case .showStore: StoreEndpoints(provider: provider, backupDirectory: backupDirectory).status
        case .backUpStore:
            StoreEndpoints(provider: provider, backupDirectory: backupDirectory).backup
        case .sweepStore: StoreEndpoints(provider: provider, backupDirectory: backupDirectory).sweep
        case .rotateToken: TokenEndpoints(provider: provider, token: gate.token).rotate
        case .makeSetUpLink: TokenEndpoints(provider: provider, token: gate.token).makeSetUpLink
        case .listAuditEvents: AuditEndpoints(provider: provider).list
        case .listAdministrators: AdministratorEndpoints(provider: provider, notices: notices).list
        case .grantAdministrator: AdministratorEndpoints(provider: provider, notices: notices).grant
        case .revokeAdministrator:
            AdministratorEndpoints(provider: provider, notices: notices).revoke
        case .listBelongings:
            AdministratorEndpoints(provider: provider, notices: notices).belongings
        case .listAwaitedApprovals:
            AdministratorEndpoints(provider: provider, notices: notices).awaited
        case .giveApproval: AdministratorEndpoints(provider: provider, notices: notices).approve
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
        case .listPeople: PeopleEndpoints(scope: scope, notices: notices).list
        case .showPerson: PeopleEndpoints(scope: scope, notices: notices).show
        case .putPerson: PeopleEndpoints(scope: scope, notices: notices).put
        case .removePerson: PeopleEndpoints(scope: scope, notices: notices).remove
        case .endSessions: PeopleEndpoints(scope: scope, notices: notices).signOut
        case .removeInstallation: PeopleEndpoints(scope: scope, notices: notices).removeInstallation
        case .releaseName: PeopleEndpoints(scope: scope, notices: notices).release
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
        case .listCustomIdentityProviders: ProjectListEndpoints(scope: scope).list(.customProviders)
        case .showCustomIdentityProvider: ProjectListEndpoints(scope: scope).show(.customProviders)
        case .putCustomIdentityProvider: ProjectListEndpoints(scope: scope).put(.customProviders)
        case .removeCustomIdentityProvider:
            ProjectListEndpoints(scope: scope).remove(.customProviders)
        case .listSigningFingerprints: ProjectListEndpoints(scope: scope).list(.fingerprints)
        case .showSigningFingerprint: ProjectListEndpoints(scope: scope).show(.fingerprints)
        case .putSigningFingerprint: ProjectListEndpoints(scope: scope).put(.fingerprints)
        case .removeSigningFingerprint: ProjectListEndpoints(scope: scope).remove(.fingerprints)
        case .listApplicationRules: ProjectListEndpoints(scope: scope).list(.applications)
        case .showApplicationRule: ProjectListEndpoints(scope: scope).show(.applications)
        case .putApplicationRule: ProjectListEndpoints(scope: scope).put(.applications)
        case .removeApplicationRule: ProjectListEndpoints(scope: scope).remove(.applications)
        case .listSystemRules: ProjectListEndpoints(scope: scope).list(.systems)
        case .showSystemRule: ProjectListEndpoints(scope: scope).show(.systems)
        case .putSystemRule: ProjectListEndpoints(scope: scope).put(.systems)
        case .removeSystemRule: ProjectListEndpoints(scope: scope).remove(.systems)
        case .showTokenPolicy: ProjectPartEndpoints(scope: scope).show(.tokens)
        case .putTokenPolicy: ProjectPartEndpoints(scope: scope).put(.tokens)
        case .showWebAuthnPolicy: ProjectPartEndpoints(scope: scope).show(.webauthn)
        case .putWebAuthnPolicy: ProjectPartEndpoints(scope: scope).put(.webauthn)
        case .showPlatformSSOPolicy: ProjectPartEndpoints(scope: scope).show(.platformSSO)
        case .putPlatformSSOPolicy: ProjectPartEndpoints(scope: scope).put(.platformSSO)
        case .showPINPolicy: ProjectPartEndpoints(scope: scope).show(.pin)
        case .putPINPolicy: ProjectPartEndpoints(scope: scope).put(.pin)
        case .showApprovalPolicy: ProjectPartEndpoints(scope: scope).show(.approvals)
        case .putApprovalPolicy: ProjectPartEndpoints(scope: scope).put(.approvals)
        case .showAssociatedApps: ProjectPartEndpoints(scope: scope).show(.associatedApps)
        case .putAssociatedApps: ProjectPartEndpoints(scope: scope).put(.associatedApps)
        case .showTheme: ProjectPartEndpoints(scope: scope).show(.theme)
        case .putTheme: ProjectPartEndpoints(scope: scope).put(.theme)
        case .showRegistrationPolicy: ProjectPartEndpoints(scope: scope).show(.registration)
        case .putRegistrationPolicy: ProjectPartEndpoints(scope: scope).put(.registration)
        case .showVersionPolicy: ProjectPartEndpoints(scope: scope).show(.versions)
        case .putVersionPolicy: ProjectPartEndpoints(scope: scope).put(.versions)
        case .showAppleAttestation: ProjectPartEndpoints(scope: scope).show(.apple)
        case .putAppleAttestation: ProjectPartEndpoints(scope: scope).put(.apple)
        case .showAndroidAttestation: ProjectPartEndpoints(scope: scope).show(.android)
        case .putAndroidAttestation: ProjectPartEndpoints(scope: scope).put(.android)
        }
    }

    private var scope: ProjectScope { ProjectScope(provider) }
}
