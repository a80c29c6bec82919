// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

private let credentialSelect = "SELECT \(Credential.columns.list) FROM credentials"
let credentialsOfPerson = """
    \(credentialSelect) WHERE person_id = $1 ORDER BY created_at, id LIMIT 1000
    """
private let credentialByExternalID = """
    \(credentialSelect) WHERE project_id = $1 AND kind = $2 AND external_id = $3
    """
let credentialAdd =
    Credential.columns.insert(into: "credentials") + " ON CONFLICT DO NOTHING"
let credentialInsert = credentialAdd + " RETURNING id"
private let passwordKey = "project_id kind external_id"
/// The columns that two passwords of a person have in common, and that a password does not have.
private let passwordUnchanged = "person_id upstream_id installation_id"
private let passwordUpsert = Credential.columns.upsert(
    into: "credentials", key: passwordKey, except: passwordUnchanged)
/// Replaces the password with the id in the last parameter.
private let passwordReplace = RecordUpdate<Credential>(
    "credentials",
    writing: Credential.columns.without(Columns(passwordKey + " " + passwordUnchanged))
) { "id = \($0.after(1)) AND kind = 'password'" }
private let credentialOfPerson = """
    SELECT c.id FROM people p JOIN credentials c ON c.person_id = p.id
    WHERE p.id = $1 AND c.id = $2
    """
private let passwordHashRenew = """
    UPDATE credentials SET public_part = $3
    WHERE id = $1 AND kind = 'password' AND public_part = $2 RETURNING id
    """
private let recoveryCodesDelete = """
    DELETE FROM credentials WHERE person_id = $1 AND kind = 'recovery_code'
    """
private let recoveryCodeConsume = """
    DELETE FROM credentials WHERE person_id = $1 AND kind = 'recovery_code' AND external_id = $2
    RETURNING \(Credential.columns.list)
    """
private let credentialUse = """
    UPDATE credentials SET last_used_at = $2
    WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < $2)
    """
private let unchangedCredentialUse = """
    UPDATE credentials SET sign_count = $3, details = $4, last_used_at = $5
    WHERE id = $1 AND sign_count = $2 AND details = $6 RETURNING id
    """
private let credentialRename = """
    UPDATE credentials SET label = $3 WHERE id = $1 AND person_id = $2 RETURNING id
    """
/// Selects the credentials that can sign a person in: not those of a disabled or link-only
/// provider.
let waysIn = """
    SELECT c.id FROM credentials c LEFT JOIN upstream_providers u ON u.id = c.upstream_id
    WHERE c.person_id = $1 AND (c.kind IN ('password', 'public_key')
    OR (u.enabled = 1 AND u.link_only = 0))
    """
/// Selects a credential that its owner may remove.
private let removable = """
    SELECT id FROM credentials WHERE id = $1 AND person_id = $2
    AND (kind IN ('password', 'public_key') OR upstream_id IS NOT NULL)
    """

/// The credentials of people.
struct SQLCredentials: CredentialStore, SQLCapability {
    let database: SQLDatabase

    func credentials(of person: Identifier<Person>) async throws -> [Credential] {
        try await all(Credential.init, credentialsOfPerson, person)
    }

    func credential(
        externalID: [UInt8], kind: Credential.Kind, in project: Identifier<Project>
    ) async throws -> Credential? {
        try await one(Credential.init, credentialByExternalID, project, kind.rawValue, externalID)
    }

    func add(_ credential: Credential) async throws -> Bool {
        try await !engine.change(credentialInsert, arguments: credential.values).isEmpty
    }

    func setPassword(
        _ credential: Credential, replacing earlier: EarlierPassword,
        keeping session: Identifier<Session>?, now: Timestamp
    ) async throws -> Bool {
        try await engine.write {
            try $0.set(credential, replacing: earlier, keeping: session, now)
        }
    }

    func renewPasswordHash(
        of credential: Identifier<Credential>, from old: [UInt8], to new: [UInt8]
    ) async throws -> Bool {
        try await !engine.change(passwordHashRenew, credential, old, new).isEmpty
    }

    func replaceRecoveryCodes(
        of person: Identifier<Person>, with codes: [Credential]
    ) async throws {
        let dialect = dialect
        try await engine.write { connection in
            try connection.hold(person, dialect)
            _ = try connection.change(recoveryCodesDelete, person)
            for code in codes {
                let added = try connection.change(credentialAdd, arguments: code.values)
                if added == 0 { throw StorageError(.conflict, "a recovery code exists twice") }
            }
        }
    }

    func consumeRecoveryCode(
        hash: [UInt8], person: Identifier<Person>
    ) async throws -> Credential? {
        try await engine.change(recoveryCodeConsume, person, hash).firstRecord(Credential.init)
    }

    func noteUse(of credential: Identifier<Credential>, now: Timestamp) async throws {
        _ = try await engine.change(credentialUse, credential, now)
    }

    func recordUse(
        ofUnchanged credential: Credential, to signCount: Int64, details: String, now: Timestamp
    ) async throws -> Bool {
        try await !engine.change(
            unchangedCredentialUse, credential.id, credential.signCount, signCount, details, now,
            credential.details
        ).isEmpty
    }

    func rename(
        credential: Identifier<Credential>, of person: Identifier<Person>, label: String
    ) async throws -> Bool {
        try await !engine.change(credentialRename, credential, person, label).isEmpty
    }

    func remove(
        credential: Identifier<Credential>, of person: Identifier<Person>,
        othersWait: @escaping @Sendable ([Credential]) -> Bool
    ) async throws -> RemoveCredentialOutcome {
        let dialect = dialect
        return try await engine.write { connection in
            // Of two concurrent removals, the second sees the first.
            try connection.hold(person, dialect)
            guard try connection.first(removable, credential, person) != nil else {
                return .unknown
            }
            let ways = try connection.query(waysIn, person).records {
                try $0.identifier(Credential.self)
            }
            guard ways.contains(where: { $0 != credential }) else { return .lastWayIn }
            return try connection.remove(credential, of: person, othersWait)
        }
    }
}

extension Credential {
    fileprivate var asPassword: Credential {
        var password = self
        password.kind = .password
        password.externalID = person.bytes
        return password
    }
}

extension SQLConnection {
    /// Locks the person's row: the second of two concurrent changes sees the first.
    func hold(_ person: Identifier<Person>, _ dialect: SQLDialect) throws {
        _ = try query("SELECT id FROM people WHERE id = $1" + dialect.forUpdate, person)
    }

    /// Whether the person has that credential. Both rows are locked, the person's first as in other
    /// operations: a change of the credential waits for the transaction, or this waits and sees the
    /// change.
    func holds(
        _ credential: Identifier<Credential>, of person: Identifier<Person>, _ dialect: SQLDialect
    ) throws -> Bool {
        try !query(credentialOfPerson + dialect.forShare, person, credential).isEmpty
    }

    /// As ``CredentialStore/setPassword(_:replacing:keeping:now:)``.
    func set(
        _ credential: Credential, replacing earlier: EarlierPassword,
        keeping session: Identifier<Session>?, _ now: Timestamp
    ) throws -> Bool {
        let password = credential.asPassword
        guard try put(password, replacing: earlier) > 0 else { return false }
        _ = try change(sessionsDeleteOfPersonExcept, password.person, session?.bytes ?? [])
        _ = try change(grantsRevokeOfPerson, password.person, now, now.revokedRowsEnd)
        try endInvitation(of: password.person)
        return true
    }

    /// Returns the number of written rows: 0 if the person's password is not `earlier`.
    fileprivate func put(
        _ password: Credential, replacing earlier: EarlierPassword
    ) throws -> Int {
        switch earlier {
        case .any: return try change(passwordUpsert, arguments: password.values)
        case .nothing: return try change(credentialAdd, arguments: password.values)
        case .only(let id):
            return try passwordReplace.run(password, and: [id.sqlValue], on: self)
        }
    }
}
