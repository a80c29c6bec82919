// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

private let tokenInsert = """
    INSERT INTO api_tokens (\(APIToken.columns.list), delete_after)
    VALUES (\(APIToken.columns.parameters), \(APIToken.columns.after(1)))
    """
private let tokenByHash = "SELECT \(APIToken.columns.list) FROM api_tokens WHERE hash = $1"
private let tokenByID = """
    SELECT \(APIToken.columns.list) FROM api_tokens WHERE id = $1 AND project_id = $2
    """
private let tokenHandOver = """
    UPDATE api_tokens SET made_by = $4, maker = $5, hash = COALESCE($6, hash)
    WHERE id = $1 AND project_id = $2 AND revoked_at IS NULL AND expires_at > $3
    AND hash = $7 AND maker = $8 RETURNING id
    """
private let tokensAfter = """
    SELECT \(APIToken.columns.list) FROM api_tokens WHERE project_id = $1 AND id > $2
    ORDER BY id LIMIT $3
    """
private let tokenRevoke = """
    UPDATE api_tokens SET revoked_at = $3, delete_after = $4
    WHERE id = $1 AND project_id = $2 AND revoked_at IS NULL AND expires_at > $3 RETURNING id
    """
private let tokenUse = """
    UPDATE api_tokens SET last_used_at = $2
    WHERE id = $1 AND (last_used_at IS NULL OR last_used_at <= $3)
    """

/// The API tokens of projects.
struct SQLAPITokens: APITokenStore, SQLCapability {
    let database: SQLDatabase

    func add(_ token: APIToken, recording event: AuditEvent) async throws -> Bool {
        let end = token.expiresAt + APIToken.remembered
        let values = try token.values(and: [end.sqlValue])
        do {
            return try await engine.write { connection in
                _ = try connection.change(tokenInsert, arguments: values)
                _ = try connection.change(auditInsert, arguments: event.values)
                return true
            }
        } catch let error as StorageError where error.code == .missingParent {
            return false
        }
    }

    func apiToken(hash: [UInt8]) async throws -> APIToken? {
        try await one(APIToken.init, tokenByHash, hash)
    }

    func apiToken(
        _ id: Identifier<APIToken>, of project: Identifier<Project>
    ) async throws -> APIToken? {
        try await one(APIToken.init, tokenByID, id, project)
    }

    func handOver(
        apiToken: APIToken, to keeper: Identifier<Person>?, named name: String, hash: [UInt8]?,
        now: Timestamp, recording event: AuditEvent
    ) async throws -> APITokenTransferOutcome {
        try await engine.write { connection in
            let moved = try connection.change(
                returning: tokenHandOver,
                arguments: [
                    apiToken.id.sqlValue, apiToken.project.sqlValue, now.sqlValue,
                    keeper.sqlValue, name.sqlValue, hash.sqlValue, apiToken.hash.sqlValue,
                    apiToken.makerName.sqlValue,
                ])
            guard moved.isEmpty else {
                _ = try connection.change(auditInsert, arguments: event.values)
                return .moved
            }
            let found = try connection.query(tokenByID, apiToken.id, apiToken.project)
                .firstRecord(APIToken.init)
            return found?.isGood(at: now) == true ? .overtaken : .unknown
        }
    }

    func apiTokens(
        of project: Identifier<Project>, after last: Identifier<APIToken>?, limit: Int
    ) async throws -> [APIToken] {
        try await all(APIToken.init, tokensAfter, project, last?.bytes ?? [], limit)
    }

    func revoke(
        apiToken: Identifier<APIToken>, of project: Identifier<Project>, now: Timestamp,
        recording event: AuditEvent
    ) async throws -> Bool {
        let end = now + APIToken.remembered
        return try await engine.write { connection in
            let ended = try connection.change(returning: tokenRevoke, apiToken, project, now, end)
            guard !ended.isEmpty else { return false }
            _ = try connection.change(auditInsert, arguments: event.values)
            return true
        }
    }

    func noteUse(of apiToken: Identifier<APIToken>, now: Timestamp) async throws {
        _ = try await engine.change(tokenUse, apiToken, now, now - APIToken.useGrain)
    }
}
