// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

private let issuerKeySelect = "SELECT \(IssuerKey.columns.list) FROM issuer_keys"
private let issuerKeyByID = "\(issuerKeySelect) WHERE id = $1"
private let issuerKeyByName = """
    \(issuerKeySelect) WHERE project_id = $1 AND issuer = $2 AND kid = $3
    """
private let issuerKeysOfKind = """
    \(issuerKeySelect) WHERE project_id = $1 AND kind = $2 ORDER BY issuer, kid LIMIT 1000
    """
private let issuerKeyUpdate = RecordUpdate<IssuerKey>(
    "issuer_keys", key: "id project_id", except: "created_at")
private let issuerKeyInsert =
    IssuerKey.columns.insert(into: "issuer_keys") + " ON CONFLICT DO NOTHING RETURNING id"
private let keysOfIssuer = """
    SELECT id FROM issuer_keys WHERE project_id = $1 AND issuer = $2 AND kind = $3 LIMIT 1
    """
private let issuerKeyDelete = """
    DELETE FROM issuer_keys WHERE id = $1 AND project_id = $2
    RETURNING \(IssuerKey.columns.list)
    """

/// The issuer keys of projects.
struct SQLIssuerKeys: IssuerKeyStore, SQLCapability {
    let database: SQLDatabase

    func issuerKey(
        issuer: String, kid: String, in project: Identifier<Project>
    ) async throws -> IssuerKey? {
        try await one(IssuerKey.init, issuerKeyByName, project, issuer, kid)
    }

    func issuerKeys(
        of project: Identifier<Project>, kind: IssuerKey.Kind
    ) async throws -> [IssuerKey] {
        try await all(IssuerKey.init, issuerKeysOfKind, project, kind.rawValue)
    }

    func add(_ key: IssuerKey) async throws -> Bool {
        let values = try key.values
        let dialect = dialect
        return try await engine.write { connection in
            guard try !connection.change(returning: issuerKeyInsert, arguments: values).isEmpty
            else {
                return false
            }
            try connection.weigh(issuers: [key.issuer], key, dialect)
            return true
        }
    }

    func change<Objection: Sendable>(
        issuerKey id: Identifier<IssuerKey>,
        _ edit: @escaping @Sendable (inout IssuerKey) -> Objection?
    ) async throws -> RecordEdit<IssuerKey, Objection> {
        let dialect = dialect
        return try await self.edit(IssuerKey.init, issuerKeyByID, [id.sqlValue], edit) {
            connection, row, old, new in
            try issuerKeyUpdate.run(new, over: row, on: connection)
            try connection.weigh(issuers: [old.issuer, new.issuer], new, dialect)
        }
    }

    func remove(
        issuerKey id: Identifier<IssuerKey>, of project: Identifier<Project>
    ) async throws -> IssuerKey? {
        let dialect = dialect
        return try await engine.write { connection in
            let removed = try connection.change(returning: issuerKeyDelete, id, project)
                .firstRecord(IssuerKey.init)
            guard let removed else { return nil }
            try connection.weigh(issuers: [removed.issuer], removed, dialect)
            return removed
        }
    }
}

extension SQLConnection {
    /// Updates the state of issuers. An issuer is active while it has a key. For test keys, the
    /// project's settings decide instead.
    fileprivate func weigh(
        issuers: [String], _ key: IssuerKey, _ dialect: SQLDialect
    ) throws {
        guard key.kind == .federation else { return }
        // Of two concurrent deletions of the last two keys, the second waits and sees the first.
        try change(silentRealmsOf: key.project, dialect) { realms in
            for issuer in issuers {
                let keys = try query(keysOfIssuer, key.project, issuer, key.kind.rawValue)
                realms.set(issuer, counts: !keys.isEmpty)
            }
        }
    }
}
