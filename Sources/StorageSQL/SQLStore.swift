// SPDX-License-Identifier: Apache-2.0
package import Primitives
package import Storage

/// The store over any ``SQLEngine``. Each capability is a separate type in `Verbs/`, over one
/// ``SQLDatabase``.
package struct SQLStore: ProviderStore {
    let database: SQLDatabase

    package init(
        engine: any SQLEngine, archives: any ArchiveFormat, auditRetention: TimeSpan = .days(400)
    ) {
        database = SQLDatabase(
            engine: engine, archives: archives, auditRetention: auditRetention)
    }

    private init(_ database: SQLDatabase) { self.database = database }

    /// For repairs by hand, and for tests of what another version writes.
    package var engine: any SQLEngine { database.engine }

    package func recording(_ event: TransactionalAuditEvent) -> any ProviderStore {
        SQLStore(database.recording(event))
    }

    package var administrators: any AdministratorStore { SQLAdministrators(database: database) }
    package var apiTokens: any APITokenStore { SQLAPITokens(database: database) }
    package var approvals: any ApprovalStore { SQLApprovals(database: database) }
    package var attempts: any AttemptStore { SQLAttempts(database: database) }
    package var auditLog: any AuditStore { SQLAuditLog(database: database) }
    package var challenges: any ChallengeStore { SQLChallenges(database: database) }
    package var clients: any ClientStore { SQLClients(database: database) }
    package var consents: any ConsentStore { SQLConsents(database: database) }
    package var credentials: any CredentialStore { SQLCredentials(database: database) }
    package var devices: any DeviceStore { SQLDevices(database: database) }
    package var encryptionKeys: any EncryptionKeyStore { SQLEncryptionKeys(database: database) }
    package var entitlements: any EntitlementStore { SQLEntitlements(database: database) }
    package var grants: any GrantStore { SQLGrants(database: database) }
    package var groups: any GroupStore { SQLGroups(database: database) }
    package var installations: any InstallationStore { SQLInstallations(database: database) }
    package var issuerKeys: any IssuerKeyStore { SQLIssuerKeys(database: database) }
    package var maintenance: any StoreMaintenance { SQLMaintenance(database: database) }
    package var oneTimeLinks: any OneTimeLinkStore { SQLOneTimeLinks(database: database) }
    package var operatorTokens: any OperatorTokenStore { SQLOperatorTokens(database: database) }
    package var people: any PersonStore { SQLPeople(database: database) }
    package var pins: any ProfilePINStore { SQLProfilePINs(database: database) }
    package var projects: any ProjectStore { SQLProjects(database: database) }
    package var serverLeases: any ServerLeaseStore { SQLServerLeases(database: database) }
    package var sessions: any SessionStore { SQLSessions(database: database) }
    package var signingKeys: any SigningKeyStore { SQLSigningKeys(database: database) }
    package var stateFiles: any StateFileStore { SQLStateFiles(database: database) }
    package var tokenStates: any TokenStateStore { SQLTokenStates(database: database) }
    package var unlockKeys: any UnlockKeyStore { SQLUnlockKeys(database: database) }
    package var upstreamProviders: any UpstreamProviderStore {
        SQLUpstreamProviders(database: database)
    }
}
