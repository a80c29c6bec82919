// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

private let installationSelect = "SELECT \(Installation.columns.list) FROM installations"
private let installationByID = "\(installationSelect) WHERE id = $1"
private let installationOfPerson = "\(installationSelect) WHERE id = $1 AND person_id = $2"
private let installationsOfPerson = """
    \(installationSelect) WHERE person_id = $1 ORDER BY created_at, id LIMIT 1000
    """
let personDelete = "DELETE FROM people WHERE id = $1 RETURNING \(deletedNames)"
private let peopleDelete = """
    DELETE FROM people WHERE id IN (SELECT id FROM people WHERE project_id = $1 AND origin = $2
    AND origin <> '' AND created_at < $3 AND NOT EXISTS (SELECT 1 FROM administrators a
    WHERE a.person_id = people.id AND a.role = 'owner') ORDER BY created_at LIMIT $4)
    RETURNING \(deletedNames)
    """
private let peopleCount = "SELECT count(*) FROM people WHERE project_id = $1 AND origin = $2"
private let sessionsHandedOver = "DELETE FROM sessions WHERE rests_on = $1 RETURNING id"
private let credentialUsed = "UPDATE credentials SET last_used_at = $2 WHERE id = $1"

/// App installations, and the grants that they receive.
struct SQLInstallations: InstallationStore, SQLCapability {
    let database: SQLDatabase

    func installation(_ id: Identifier<Installation>) async throws -> Installation? {
        try await one(Installation.init, installationByID, id)
    }

    func installations(of person: Identifier<Person>) async throws -> [Installation] {
        try await all(Installation.init, installationsOfPerson, person)
    }

    func remove(
        installation id: Identifier<Installation>, of person: Identifier<Person>, now: Timestamp,
        recording event: AuditEvent
    ) async throws -> Bool {
        let held = installationOfPerson + dialect.forUpdate
        return try await engine.write { connection in
            // The row is locked first: a concurrent grant to the installation waits and is then
            // refused, or was inserted before and is revoked.
            let found = try connection.query(held, id, person).firstRecord(Installation.init)
            guard let found else { return false }
            _ = try connection.change(grantsRevokeOfInstallation, id, now, now.revokedRowsEnd)
            try connection.endSessions(handedOverBy: id, now)
            if let key = found.credential {
                _ = try connection.change(credentialDelete, key, person)
            }
            _ = try connection.change(authenticatorsDelete, id)
            _ = try connection.change("DELETE FROM installations WHERE id = $1", id)
            _ = try connection.change(auditInsert, arguments: event.values)
            return true
        }
    }

    func deregister(
        person id: Identifier<Person>, within budgets: [AttemptBudget], window: TimeSpan,
        recording event: AuditEvent
    ) async throws -> DeregisterOutcome {
        let forUpdate = dialect.forUpdate
        do {
            return try await engine.write { connection in
                if try connection.isLastOwner(id, forUpdate) { return .lastOwner }
                // Thrown outcomes roll the counts back.
                if let end = try connection.count(in: budgets, window: window, event.at) {
                    throw DeregisterOutcome.limited(until: end)
                }
                guard try connection.deletePeople(personDelete, id, now: event.at) > 0 else {
                    throw DeregisterOutcome.unknown
                }
                _ = try connection.change(auditInsert, arguments: event.values)
                return .removed
            }
        } catch let outcome as DeregisterOutcome {
            return outcome
        }
    }

    func removePeople(
        of project: Identifier<Project>, origin: String, before end: Timestamp, limit: Int,
        now: Timestamp, recording event: @escaping @Sendable (Int) -> AuditEvent?
    ) async throws -> Int {
        try await engine.write { connection in
            let removed = try connection.deletePeople(
                peopleDelete, project, origin, end, limit, now: now)
            if let event = event(removed) {
                _ = try connection.change(auditInsert, arguments: event.values)
            }
            return removed
        }
    }

    func countPeople(
        of project: Identifier<Project>, origin: String
    ) async throws -> Int64 {
        try await one({ try $0.integer() }, peopleCount, project, origin) ?? 0
    }

    func grant(
        _ grant: Grant, using uses: [OneTimeUse], credential: Identifier<Credential>?,
        recording event: AuditEvent
    ) async throws -> ProvenGrantOutcome {
        let inserts = ProvenGrantInsert.of(dialect)
        let insert = grant.installation == nil ? inserts.ofPerson : inserts.ofInstallation
        let dialect = dialect
        do {
            try await engine.write { connection in
                for use in uses where try connection.change(markAdd, arguments: use.values) == 0 {
                    throw GrantRefused(outcome: .used(use.mark.kind))
                }
                let isMade = try connection.afterOlderWrites(of: grant.project, dialect) {
                    try connection.change(insert, arguments: grant.allValues) > 0
                }
                guard isMade else { throw GrantRefused(outcome: .notStanding) }
                if let credential {
                    _ = try connection.change(credentialUsed, credential, grant.createdAt)
                }
                _ = try connection.change(auditInsert, arguments: event.values)
            }
            return .granted
        } catch let refused as GrantRefused {
            return refused.outcome
        }
    }
}

extension SQLConnection {
    /// Ends the sessions that a deleted installation handed off to browsers, and revokes their
    /// grants.
    func endSessions(
        handedOverBy installation: Identifier<Installation>, _ now: Timestamp
    ) throws {
        for session in try change(returning: sessionsHandedOver, installation)
            .records({ try $0.identifier(Session.self) })
        {
            _ = try change(grantsRevokeOfSession, session, now, now.revokedRowsEnd)
        }
    }
}

/// Rolls back a grant that is not possible.
private struct GrantRefused: Error {
    let outcome: ProvenGrantOutcome
}
