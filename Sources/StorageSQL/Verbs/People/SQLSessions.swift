// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

private let sessionSelect = "SELECT \(Session.columns.list) FROM sessions"
private let sessionByID = "\(sessionSelect) WHERE id = $1 AND expires_at > $2"
let sessionBySecret = """
    SELECT \(Session.columns.of("s")), \(Person.columns.of("p"))
    FROM sessions s JOIN people p ON p.id = s.person_id
    WHERE s.secret_hash = $1 AND s.expires_at > $2
    """
private let sessionsOfPerson = """
    \(sessionSelect) WHERE person_id = $1 AND expires_at > $2
    ORDER BY last_seen_at DESC, id DESC LIMIT 1000
    """
private let sessionTouch = """
    UPDATE sessions SET last_seen_at = $2, expires_at = $3 WHERE id = $1 AND expires_at > $2
    """
let sessionDelete = "DELETE FROM sessions WHERE id = $1 AND person_id = $2 RETURNING id"
private let sessionFactors = """
    SELECT factors, rests_on FROM sessions WHERE id = $1 AND person_id = $2
    """
let sessionsDeleteOfPerson = "DELETE FROM sessions WHERE person_id = $1"
let sessionsDeleteOfPersonExcept = """
    DELETE FROM sessions WHERE person_id = $1 AND id <> $2 RETURNING id
    """
/// Moves the grants of a replaced session to the new session of the same person, so that the end of
/// the new session still revokes them.
private let grantsMove = """
    UPDATE grants SET session_id = $2 WHERE session_id = $1 AND person_id = $3
    """

/// The sessions of people.
struct SQLSessions: SessionStore, SQLCapability {
    let database: SQLDatabase

    func create(
        _ session: Session, replacing: Identifier<Session>?, carryingSince horizon: Timestamp?,
        now: Timestamp
    ) async throws -> Session {
        let insert = dialect == .postgreSQL ? sessionInsertPostgreSQL : sessionInsertSQLite
        let held = sessionFactors + dialect.forUpdate
        let dialect = dialect
        return try await engine.write { connection in
            var made = session
            guard
                try connection.standing(session.factors, dialect).count
                    == session.factors.count
            else {
                throw StorageError(
                    .missingParent, "the session's upstream provider is disabled or unlinked")
            }
            for case let credential? in session.factors.map(\.credential)
            where try !connection.holds(credential, of: session.person, dialect) {
                throw StorageError(.missingParent, "a credential of this session was replaced")
            }
            if let replacing, let horizon,
                let (older, origin) = try connection.query(held, replacing, session.person)
                    .firstRecord({ (try FactorText.decode($0.text()), try $0.optionalBytes()) })
            {
                let held = try connection.standing(older, dialect).filter { factor in
                    guard let credential = factor.credential else { return true }
                    return try connection.holds(credential, of: session.person, dialect)
                }
                made.factors = session.factors.carrying(held, since: horizon)
                made.authenticationMethods = made.factors.methods
                // A session with copied factors ends with the object that they depend on.
                if made.factors.count > session.factors.count {
                    made.restsOn = made.restsOn ?? origin
                }
            }
            let isMade = try connection.afterOlderWrites(of: made.project, dialect) {
                try !connection.change(returning: insert, arguments: made.values).isEmpty
            }
            guard isMade else {
                throw StorageError(.missingParent, "a session requires an active person and realm")
            }
            guard let replacing, replacing != session.id else { return made }
            _ = try connection.change("DELETE FROM sessions WHERE id = $1", replacing)
            _ = try connection.change(grantsMove, replacing, session.id, session.person)
            _ = try connection.change(grantsRevokeOfSession, replacing, now, now.revokedRowsEnd)
            return made
        }
    }

    func session(
        secretHash: [UInt8], now: Timestamp
    ) async throws -> (Session, Person)? {
        try await one({ (try Session(&$0), try Person(&$0)) }, sessionBySecret, secretHash, now)
    }

    func session(_ id: Identifier<Session>, now: Timestamp) async throws -> Session? {
        try await one(Session.init, sessionByID, id, now)
    }

    func sessions(
        of person: Identifier<Person>, now: Timestamp
    ) async throws -> [Session] {
        try await all(Session.init, sessionsOfPerson, person, now)
    }

    func touch(
        session: Identifier<Session>, now: Timestamp, expiresAt: Timestamp
    ) async throws {
        _ = try await engine.change(sessionTouch, session, now, expiresAt)
    }

    func end(
        session: Identifier<Session>, of person: Identifier<Person>, now: Timestamp
    ) async throws -> Bool {
        try await engine.write { connection in
            guard try !connection.change(returning: sessionDelete, session, person).isEmpty else {
                return false
            }
            _ = try connection.change(grantsRevokeOfSession, session, now, now.revokedRowsEnd)
            return true
        }
    }

    func endEverything(of person: Identifier<Person>, now: Timestamp) async throws {
        try await engine.write { connection in
            _ = try connection.change(sessionsDeleteOfPerson, person)
            _ = try connection.change(grantsRevokeOfPerson, person, now, now.revokedRowsEnd)
        }
    }

    func endSessions(
        of person: Identifier<Person>, except kept: Identifier<Session>?, now: Timestamp
    ) async throws -> Int {
        try await engine.write { connection in
            let ended = try connection.change(
                returning: sessionsDeleteOfPersonExcept, person, kept?.bytes ?? [])
            for row in try ended.records({ try $0.identifier(Session.self) }) {
                _ = try connection.change(grantsRevokeOfSession, row, now, now.revokedRowsEnd)
            }
            if kept == nil {
                _ = try connection.change(
                    grantsRevokeOfNoBrowser, person, now, now.revokedRowsEnd)
            }
            return ended.count
        }
    }
}

private let sessionInsertSQLite = SQLDialect.sqlite.sessionInsert
private let sessionInsertPostgreSQL = SQLDialect.postgreSQL.sessionInsert

extension SQLDialect {
    /// Inserts a session. Refuses a person who is disabled or whose realm is disabled
    /// (``DisabledRealms``).
    ///
    /// The rows of the person and of the realm are locked: a concurrent change waits for this session
    /// and then ends it, or this statement waits and inserts nothing.
    fileprivate var sessionInsert: String {
        """
        INSERT INTO sessions (\(Session.columns.list)) SELECT \(Session.columns.parameters)
        FROM people p \(realmJoin) WHERE p.id = \(Session.columns["person_id"]) AND p.disabled = 0
        AND \(realmMatch) AND (r.silent = 0 OR EXISTS (\(standingLink("p.id"))))
        \(forShare(of: "p", "r")) RETURNING id
        """
    }
}
