// SPDX-License-Identifier: Apache-2.0
package import Primitives
package import Storage

private let issuerKeySelect = "SELECT \(IssuerKey.columns.list) FROM issuer_keys"
private let issuerKeyByName = """
    \(issuerKeySelect) WHERE project_id = $1 AND issuer = $2 AND kid = $3
    """
private let issuerKeysOfKind = """
    \(issuerKeySelect) WHERE project_id = $1 AND kind = $2 ORDER BY issuer, kid LIMIT 1000
    """
private let issuerKeyUpdate = """
    UPDATE issuer_keys SET kind = $3, issuer = $4, kid = $5, algorithm = $6, public_jwk = $7,
    settings = $8 WHERE id = $1 AND project_id = $2 RETURNING id
    """
private let issuerKeyInsert =
    IssuerKey.columns.insert(into: "issuer_keys") + " ON CONFLICT DO NOTHING RETURNING id"
private let issuerKeyDelete = """
    DELETE FROM issuer_keys WHERE id = $1 AND project_id = $2
    RETURNING \(IssuerKey.columns.list)
    """

extension SQLStore {
    package func issuerKey(
        issuer: String, kid: String, in project: Identifier<Project>
    ) async throws -> IssuerKey? {
        try await one(IssuerKey.init, issuerKeyByName, project, issuer, kid)
    }

    package func issuerKeys(
        of project: Identifier<Project>, kind: IssuerKey.Kind
    ) async throws -> [IssuerKey] {
        try await all(IssuerKey.init, issuerKeysOfKind, project, kind.rawValue)
    }

    package func save(_ key: IssuerKey) async throws -> Bool {
        let values = try key.values()
        return try await unlessTaken {
            try await engine.write { connection in
                let updated = try connection.run(issuerKeyUpdate, arguments: values.withoutLast)
                if !updated.isEmpty { return true }
                return try !connection.run(issuerKeyInsert, arguments: values).isEmpty
            }
        }
    }

    package func remove(
        issuerKey id: Identifier<IssuerKey>, of project: Identifier<Project>
    ) async throws -> IssuerKey? {
        try await engine.change(issuerKeyDelete, id, project).firstRecord(IssuerKey.init)
    }
}
