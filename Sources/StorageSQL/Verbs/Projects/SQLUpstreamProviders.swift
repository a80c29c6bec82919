// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

private let providerSelect = "SELECT \(UpstreamProvider.columns.list) FROM upstream_providers"
private let providerByID = "\(providerSelect) WHERE id = $1"
private let providerByName = "\(providerSelect) WHERE project_id = $1 AND name = $2"
private let providersOfProject = """
    \(providerSelect) WHERE project_id = $1 ORDER BY name LIMIT 100
    """
private let providerUpdate = RecordUpdate<UpstreamProvider>(
    "upstream_providers", key: "id project_id", except: "name kind created_at")
private let providerInsert =
    UpstreamProvider.columns.insert(into: "upstream_providers")
    + " ON CONFLICT DO NOTHING RETURNING id"
private let providerDisable = """
    UPDATE upstream_providers SET enabled = 0 WHERE id = $1 AND project_id = $2 RETURNING id
    """
private let providerDelete = """
    DELETE FROM upstream_providers WHERE id = $1 AND project_id = $2
    RETURNING \(UpstreamProvider.columns.list)
    """
private let sessionsOfItsPeople = """
    SELECT s.id, s.person_id, s.factors, c.id FROM credentials c
    JOIN sessions s ON s.person_id = c.person_id WHERE c.upstream_id = $1
    """
private let sessionsHandedOverOfUpstreamPeople = """
    DELETE FROM sessions WHERE rests_on IN (SELECT i.id FROM installations i
    JOIN people p ON p.id = i.person_id JOIN credentials c ON c.person_id = p.id
    JOIN realms r ON r.project_id = p.project_id AND r.name = p.realm
    WHERE c.upstream_id = $1 AND r.kind = 'upstream' AND NOT EXISTS (\(standingLink("p.id"))))
    """
private let sessionsRestingOn = """
    DELETE FROM sessions WHERE rests_on = $1 AND project_id = $2 RETURNING id, person_id
    """
private let sessionsHeld = "SELECT \(Session.columns.list) FROM sessions WHERE person_id = $1"
private let vouchedFor = standingLink("$1") + " LIMIT 1"
/// Returns a query whether the person has a federated identity of an enabled provider.
func standingLink(_ person: String) -> String {
    """
    SELECT 1 FROM credentials k JOIN upstream_providers u ON u.id = k.upstream_id
    WHERE k.person_id = \(person) AND u.enabled = 1
    """
}
/// Locks an enabled provider, so that a concurrent disabling waits, or this statement waits for it.
private let standingProvider = """
    SELECT u.id FROM credentials c JOIN upstream_providers u ON u.id = c.upstream_id
    WHERE c.id = $1 AND u.enabled = 1
    """

/// The upstream providers of projects.
struct SQLUpstreamProviders: UpstreamProviderStore, SQLCapability {
    let database: SQLDatabase

    func upstreamProvider(
        named name: String, in project: Identifier<Project>
    ) async throws -> UpstreamProvider? {
        try await one(UpstreamProvider.init, providerByName, project, name)
    }

    func upstreamProviders(
        of project: Identifier<Project>
    ) async throws -> [UpstreamProvider] {
        try await all(UpstreamProvider.init, providersOfProject, project)
    }

    func add(_ provider: UpstreamProvider) async throws -> Bool {
        try await !engine.change(providerInsert, arguments: provider.values).isEmpty
    }

    func change<Objection: Sendable>(
        upstreamProvider id: Identifier<UpstreamProvider>, now: Timestamp,
        _ edit: @escaping @Sendable (inout UpstreamProvider) -> Objection?
    ) async throws -> RecordEdit<UpstreamProvider, Objection> {
        let dialect = dialect
        return try await self.edit(UpstreamProvider.init, providerByID, [id.sqlValue], edit) {
            connection, row, _, new in
            try providerUpdate.run(new, over: row, on: connection)
            guard !new.isEnabled else { return }
            try Self.dismiss(id, of: new.project, now, connection, dialect)
        }
    }

    func remove(
        upstreamProvider id: Identifier<UpstreamProvider>, of project: Identifier<Project>,
        now: Timestamp
    ) async throws -> UpstreamProvider? {
        let dialect = dialect
        return try await engine.write { connection in
            guard try !connection.change(returning: providerDisable, id, project).isEmpty else {
                return nil
            }
            try Self.dismiss(id, of: project, now, connection, dialect)
            return try connection.change(returning: providerDelete, id, project)
                .firstRecord(UpstreamProvider.init)
        }
    }

    func endSessions(
        restingOn name: [UInt8], of project: Identifier<Project>, now: Timestamp
    ) async throws -> [Identifier<Person>] {
        try await engine.write { connection in
            try connection.change(returning: sessionsRestingOn, name, project).records { row in
                let session: Identifier<Session> = try row.identifier()
                _ = try connection.change(
                    grantsRevokeOfSession, session, now, now.revokedRowsEnd)
                return try row.identifier()
            }
        }
    }

    func endSessions(
        vouchedBy link: Identifier<Credential>, of person: Identifier<Person>, unnamedOnly: Bool,
        now: Timestamp
    ) async throws -> Int {
        let held = sessionsHeld + dialect.forUpdate
        return try await engine.write { connection in
            let resting = try connection.query(held, person).records(Session.init).filter {
                session in
                session.factors.contains { $0.credential == link }
                    && (!unnamedOnly || session.restsOn == nil)
            }
            for session in resting {
                _ = try connection.change(sessionDelete, session.id, person)
                _ = try connection.change(
                    grantsRevokeOfSession, session.id, now, now.revokedRowsEnd)
            }
            return resting.count
        }
    }

    func isVouchedFor(_ person: Identifier<Person>) async throws -> Bool {
        try await !engine.query(vouchedFor, person).isEmpty
    }

    /// Ends everything that depends on that provider. Its row is locked.
    private static func dismiss(
        _ provider: Identifier<UpstreamProvider>, of project: Identifier<Project>,
        _ now: Timestamp, _ connection: any SQLConnection, _ dialect: SQLDialect
    ) throws {
        try connection.splitNames(dialect)
        try connection.lockDependentRealms(of: project, dialect)
        for session in try connection.query(sessionsOfItsPeople, provider)
            .records(VouchedSession.init) where session.restsOnIt
        {
            _ = try connection.change(sessionDelete, session.id, session.person)
            _ = try connection.change(grantsRevokeOfSession, session.id, now, now.revokedRowsEnd)
        }
        // The apps of people in the provider's realm, and the sessions that they handed off to
        // browsers.
        _ = try connection.change(grantsRevokeOfUpstreamPeople, provider, now, now.revokedRowsEnd)
        _ = try connection.change(sessionsHandedOverOfUpstreamPeople, provider)
        // People of disabled realms who were active only through this provider.
        try connection.dismissSilenced(of: project)
        // Ended sessions and devices that signed in with a provider: which one is not stored.
        _ = try connection.change(
            grantsRevokeOfUpstreamSessionGone, provider, now, now.revokedRowsEnd)
    }
}

extension SQLConnection {
    /// Returns the factors of the session that are still valid: not those of a disabled provider or
    /// of a removed federated identity.
    func standing(
        _ factors: [AuthenticationFactor], _ dialect: SQLDialect
    ) throws -> [AuthenticationFactor] {
        try factors.filter { factor in
            guard factor.isFederated else { return true }
            guard let credential = factor.credential else { return false }
            return try !query(standingProvider + dialect.forShare, credential).isEmpty
        }
    }
}

/// A session of a person with a federated identity of the provider.
private struct VouchedSession {
    let id: Identifier<Session>
    let person: Identifier<Person>
    let restsOnIt: Bool

    init(_ row: inout SQLRow) throws {
        id = try row.identifier()
        person = try row.identifier()
        let factors = try FactorText.decode(row.text())
        let credential: Identifier<Credential> = try row.identifier()
        restsOnIt = factors.contains { $0.credential == credential }
    }
}
