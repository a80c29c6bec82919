// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

private let tokenInsert = """
    INSERT INTO operator_tokens (hash, created_at) VALUES ($1, $2) ON CONFLICT DO NOTHING
    """
private let tokenActive = """
    SELECT 1 FROM operator_tokens WHERE hash = $1 AND revoked_at IS NULL
    """
/// `$2` is before every hash.
private let tokensRevoke = """
    UPDATE operator_tokens SET revoked_at = $1 WHERE hash > $2 AND revoked_at IS NULL
    """

/// The operator's tokens of the Admin API.
struct SQLOperatorTokens: OperatorTokenStore, SQLCapability {
    let database: SQLDatabase

    func register(operatorToken hash: [UInt8], now: Timestamp) async throws -> Bool {
        _ = try await engine.change(tokenInsert, hash, now)
        return try await isActive(operatorToken: hash)
    }

    func isActive(operatorToken hash: [UInt8]) async throws -> Bool {
        try await !engine.query(tokenActive, hash).isEmpty
    }

    func replaceOperatorTokens(with hash: [UInt8], now: Timestamp) async throws {
        try await engine.write { connection in
            _ = try connection.change(tokensRevoke, now, [UInt8]())
            _ = try connection.change(tokenInsert, hash, now)
        }
    }
}
