// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

private let sessionsOfOwner = """
    SELECT id, factors, authentication_methods FROM sessions WHERE person_id = $1
    """
private let sessionForgets = """
    UPDATE sessions SET factors = $3, authentication_methods = $4 WHERE id = $1 AND person_id = $2
    """

extension SQLCredentials {
    func revokeLost(
        credential: Identifier<Credential>, of person: Identifier<Person>,
        keeping kept: Identifier<Session>?, leavingNone: Bool,
        othersWait: @escaping @Sendable ([Credential]) -> Bool, now: Timestamp
    ) async throws -> RemoveCredentialOutcome {
        let dialect = dialect
        return try await engine.write { connection in
            // Of two concurrent removals, the second sees the first.
            try connection.hold(person, dialect)
            let ways = try connection.query(waysIn, person).records {
                try $0.identifier(Credential.self)
            }
            guard ways.contains(credential) else { return .unknown }
            guard ways.count > 1 || leavingNone else { return .lastWayIn }
            let outcome = try connection.remove(credential, of: person, othersWait)
            guard case .removed = outcome else { return outcome }
            for session in try connection.query(sessionsOfOwner + dialect.forUpdate, person)
                .records(OpenedSession.init)
            where session.mayRest(on: credential) {
                try session.forget(credential, of: person, keeping: kept, now, connection)
            }
            // Devices: the key that approved them is unknown.
            _ = try connection.change(grantsRevokeOfNoSession, person, now, now.revokedRowsEnd)
            // Sessions that have ended and used a key: which one is unknown.
            _ = try connection.change(grantsRevokeOfKeySessionGone, person, now, now.revokedRowsEnd)
            return outcome
        }
    }
}

/// A session with the data about its credentials.
private struct OpenedSession {
    let id: Identifier<Session>
    let factors: [AuthenticationFactor]
    private let methods: [Substring]

    init(_ row: inout SQLRow) throws {
        id = try row.identifier()
        factors = try FactorText.decode(row.text())
        methods = try row.text().split(separator: " ")
    }

    /// Whether the credential may have opened the session. A session of an older version states
    /// that a key was used but not which one.
    func mayRest(on credential: Identifier<Credential>) -> Bool {
        guard factors.isEmpty else { return factors.contains { $0.credential == credential } }
        return methods.contains { AuthenticationFactor.keyMethods.contains(String($0)) }
    }

    func forget(
        _ credential: Identifier<Credential>, of person: Identifier<Person>,
        keeping kept: Identifier<Session>?, _ now: Timestamp, _ connection: any SQLConnection
    ) throws {
        let rest = factors.filter { $0.credential != credential }
        if id == kept, !rest.isEmpty {
            _ = try connection.change(
                sessionForgets, id, person, FactorText.encode(rest), rest.methods)
        } else {
            _ = try connection.change(sessionDelete, id, person)
        }
        _ = try connection.change(grantsRevokeOfSession, id, now, now.revokedRowsEnd)
    }
}
