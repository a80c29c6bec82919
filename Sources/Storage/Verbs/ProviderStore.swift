// SPDX-License-Identifier: Apache-2.0

/// The store of a provider: one capability for each kind of record.
///
/// A component takes the capability that it uses. It takes the whole store if it uses several, or
/// if it writes an audit event with its change.
package protocol ProviderStore: Sendable {
    var administrators: any AdministratorStore { get }
    var apiTokens: any APITokenStore { get }
    var approvals: any ApprovalStore { get }
    var attempts: any AttemptStore { get }
    var auditLog: any AuditStore { get }
    var challenges: any ChallengeStore { get }
    var clients: any ClientStore { get }
    var consents: any ConsentStore { get }
    var credentials: any CredentialStore { get }
    var devices: any DeviceStore { get }
    var encryptionKeys: any EncryptionKeyStore { get }
    var entitlements: any EntitlementStore { get }
    var grants: any GrantStore { get }
    var groups: any GroupStore { get }
    var installations: any InstallationStore { get }
    var issuerKeys: any IssuerKeyStore { get }
    var maintenance: any StoreMaintenance { get }
    var oneTimeLinks: any OneTimeLinkStore { get }
    var operatorTokens: any OperatorTokenStore { get }
    var people: any PersonStore { get }
    var pins: any ProfilePINStore { get }
    var projects: any ProjectStore { get }
    var serverLeases: any ServerLeaseStore { get }
    var sessions: any SessionStore { get }
    var signingKeys: any SigningKeyStore { get }
    var stateFiles: any StateFileStore { get }
    var tokenStates: any TokenStateStore { get }
    var unlockKeys: any UnlockKeyStore { get }
    var upstreamProviders: any UpstreamProviderStore { get }

    /// Returns this store with an event that the next changing operation, of whichever capability,
    /// writes in the same commit.
    func recording(_ event: TransactionalAuditEvent) -> any ProviderStore
}
