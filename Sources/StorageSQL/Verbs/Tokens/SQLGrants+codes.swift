// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

private let codeByHash = """
    SELECT \(Grant.columns.list), \(AuthorizationCode.columns.list) FROM grants
    WHERE code_hash = $1
    """
let codeRedeem = """
    UPDATE grants SET redeemed_at = $3, generation = $2, rotated_at = $3,
    delete_after = expires_at
    WHERE code_hash = $1 AND redeemed_at IS NULL AND revoked_at IS NULL AND code_expires_at > $3
    RETURNING \(Grant.columns.list)
    """
private let codeState = "SELECT id, redeemed_at FROM grants WHERE code_hash = $1"

extension SQLGrants {
    func save(_ code: AuthorizationCode) async throws {
        let values = try code.grant.pendingValues(code: code, deleteAfter: code.expiresAt)
        let saved = try await engine.change(dialect.grantInsert, arguments: values)
        if saved.isEmpty {
            throw StorageError(.missingParent, "a code needs its person and its client")
        }
    }

    func code(hash: [UInt8]) async throws -> AuthorizationCode? {
        try await one(AuthorizationCode.init, codeByHash, hash)
    }

    func redeemCode(
        hash: [UInt8], generation: Int64, now: Timestamp
    ) async throws -> RedeemOutcome {
        let redeemed = try await engine.change(codeRedeem, hash, generation, now)
            .firstRecord(Grant.init)
        if let redeemed { return .redeemed(redeemed) }

        let held = codeState + dialect.forUpdate
        return try await engine.write { connection in
            guard var row = try connection.first(held, hash) else { return .unknown }
            let grant: Identifier<Grant> = try row.identifier()
            guard try row.optionalTime() != nil else { return .expired }
            _ = try connection.change(grantRevoke, grant, now, now.revokedRowsEnd)
            return .reused(grant)
        }
    }
}
