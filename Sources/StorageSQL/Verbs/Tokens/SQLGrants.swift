// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

private let grantSelect = "SELECT \(Grant.columns.list) FROM grants"
private let grantByID = "\(grantSelect) WHERE id = $1 AND redeemed_at IS NOT NULL"
private let grantWithPersonByID = """
    SELECT \(Grant.columns.of("g")), \(Person.columns.of("p"))
    FROM grants g JOIN people p ON p.id = g.person_id
    WHERE g.id = $1 AND g.redeemed_at IS NOT NULL
    """
private let grantsOfPerson = """
    \(grantSelect) WHERE person_id = $1 AND redeemed_at IS NOT NULL AND revoked_at IS NULL
    AND expires_at > $2 ORDER BY created_at DESC, id DESC LIMIT 1000
    """
private let grantRotate = RecordedChange(
    """
    UPDATE grants SET generation = generation + 1, rotated_at = $3
    WHERE id = $1 AND generation = $2 AND generation > 0 AND redeemed_at IS NOT NULL
    AND revoked_at IS NULL AND expires_at > $3 AND rotated_at > $4
    RETURNING \(Grant.columns.list)
    """, parameters: 4)

/// Revokes grants. The rows remain for some time, so that later uses of their tokens are
/// distinguished from unknown ones. `$2` (or the one before the last) is now, the last is
/// ``Timestamp/revokedRowsEnd``.
private func revoke(_ condition: String, now: String = "$2", end: String = "$3") -> String {
    """
    UPDATE grants SET revoked_at = \(now),
    delete_after = CASE WHEN delete_after < \(end) THEN delete_after ELSE \(end) END
    WHERE \(condition) AND revoked_at IS NULL
    """
}
let grantRevoke = revoke("id = $1")
/// Revokes a grant that is active. Of concurrent statements one changes the row.
let grantConsume = revoke("id = $1 AND redeemed_at IS NOT NULL AND expires_at > $2")
let grantsRevokeOfNoSession = revoke("person_id = $1 AND session_id IS NULL")
/// Grants of devices, and of programs that used a device code.
let grantsRevokeOfNoBrowser = revoke(
    "person_id = $1 AND session_id IS NULL AND installation_id IS NULL")
let grantsRevokeOfPerson = revoke("person_id = $1")
let grantsRevokeOfClient = revoke("client_id = $1")
let grantsRevokeOfSession = revoke("session_id = $1")
/// Grants of deleted sessions in which a key was used. A grant from a concurrent older version does
/// not say so until ``SQLMaintenance/readOlderWrites()``: it is revoked too.
let grantsRevokeOfKeySessionGone = revoke(
    """
    person_id = $1 AND session_id IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM sessions WHERE sessions.id = grants.session_id)
    AND COALESCE(shows_key, 1) = 1
    """)
/// Grants without an active session, of people with a federated identity of a provider. As above for
/// those from a concurrent older version.
let grantsRevokeOfUpstreamSessionGone = revoke(
    """
    person_id IN (SELECT person_id FROM credentials WHERE upstream_id = $1)
    AND (session_id IS NULL
    OR NOT EXISTS (SELECT 1 FROM sessions WHERE sessions.id = grants.session_id))
    AND COALESCE(is_federated, 1) = 1
    """)
/// Grants of people whose realm belongs to a disabled provider and who have no federated identity
/// of an enabled one.
let grantsRevokeOfUpstreamPeople = revoke(
    """
    person_id IN (SELECT c.person_id FROM credentials c JOIN people p ON p.id = c.person_id
    JOIN realms r ON r.project_id = p.project_id AND r.name = p.realm
    WHERE c.upstream_id = $1 AND r.kind = 'upstream' AND NOT EXISTS (\(standingLink("c.person_id"))))
    """)
let grantsRevokeOfInstallation = revoke("installation_id = $1")
let grantsRevokeOfDevice = revoke("device_id = $1")
let grantsRevokeOfDeviceUser = revoke(
    "device_id = $1 AND person_id = $2", now: "$3", end: "$4")
let grantsRevokeOfPair = revoke("person_id = $1 AND client_id = $2", now: "$3", end: "$4")

extension Timestamp {
    /// The deletion time of the row of a grant that is revoked now.
    var revokedRowsEnd: Timestamp { self + .days(1) }
}

/// Grants, with their authorization codes, refresh tokens and device codes.
struct SQLGrants: GrantStore, SQLCapability {
    let database: SQLDatabase

    func grant(_ id: Identifier<Grant>) async throws -> Grant? {
        try await one(Grant.init, grantByID, id)
    }

    func grantWithPerson(_ id: Identifier<Grant>) async throws -> (Grant, Person)? {
        try await one({ (try Grant(&$0), try Person(&$0)) }, grantWithPersonByID, id)
    }

    func rotateRefreshToken(
        grant: Identifier<Grant>, generation: Int64, idleLifetime: TimeSpan, grace: TimeSpan,
        now: Timestamp, recording event: AuditEvent?
    ) async throws -> RotateOutcome {
        let rotated = try await grantRotate.run(
            on: engine, grant, generation, now, now - idleLifetime, recording: event)
        if let rotated { return .rotated(rotated) }

        let held = grantByID + dialect.forUpdate
        return try await engine.write { connection in
            let found = try connection.query(held, grant).firstRecord(Grant.init)
            guard let found, found.revokedAt == nil, found.expiresAt > now else { return .unknown }
            // The active generation could not rotate, so it was idle for too long. A later
            // generation was never issued.
            guard generation > 0, generation < found.generation else { return .unknown }
            if generation == found.generation - 1, now - found.rotatedAt < grace {
                return .replayed(found)
            }
            _ = try connection.change(grantRevoke, grant, now, now.revokedRowsEnd)
            return .reused
        }
    }

    func grants(of person: Identifier<Person>, now: Timestamp) async throws -> [Grant] {
        try await all(Grant.init, grantsOfPerson, person, now)
    }

    func revoke(grant: Identifier<Grant>, now: Timestamp) async throws {
        _ = try await engine.change(grantRevoke, grant, now, now.revokedRowsEnd)
    }
}

extension SQLDialect {
    /// Inserts a grant that is not redeemed yet (``pendingGrant``), with locks on the rows that it
    /// depends on.
    var grantInsert: String { self == .postgreSQL ? pendingPostgreSQL : pendingSQLite }
}

private let pendingSQLite = pendingGrant(.sqlite)
private let pendingPostgreSQL = pendingGrant(.postgreSQL)

/// Inserts a grant that is not redeemed yet. For a disabled person or client it is revoked from the
/// start. Their rows are locked: a concurrent disabling waits for this row and then revokes it, or
/// this statement waits and sees it.
private func pendingGrant(_ dialect: SQLDialect) -> String {
    let columns = Columns(
        joining: Grant.columns, AuthorizationCode.columns, Columns("delete_after"), Grant.flags)
    let revokedAt = """
        CASE WHEN p.disabled <> 0 OR c.disabled <> 0
        THEN CAST(\(columns["created_at"]) AS bigint)
        ELSE CAST(\(columns["revoked_at"]) AS bigint) END
        """
    let values = columns.names.map { $0 == "revoked_at" ? revokedAt : columns[$0] }
    return """
        INSERT INTO grants (\(columns.list)) SELECT \(values.joined(separator: ", "))
        FROM people p CROSS JOIN clients c
        WHERE p.id = \(columns["person_id"]) AND c.id = \(columns["client_id"])\(dialect.forShare)
        RETURNING id
        """
}
