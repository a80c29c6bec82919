// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

private let tokenRegister = """
    INSERT INTO operator_tokens (hash, created_at, expires_at) VALUES ($1, $2, $3)
    ON CONFLICT (hash) DO UPDATE SET expires_at = excluded.expires_at
    WHERE operator_tokens.revoked_at IS NULL
    """
/// A process of an older version sets no expiry. `$2` is before every hash.
private let olderTokensExpire = """
    UPDATE operator_tokens SET expires_at = $1 WHERE hash > $2 AND expires_at IS NULL
    """
private let tokenActive = """
    SELECT 1 FROM operator_tokens WHERE hash = $1 AND revoked_at IS NULL
    AND (expires_at IS NULL OR expires_at > $2)
    """
private let tokenNotRevoked = """
    SELECT 1 FROM operator_tokens WHERE hash = $1 AND revoked_at IS NULL
    """
/// `$1` is before every hash. With a lock: of two concurrent rotations the second one finds its
/// token revoked.
private let tokensNotRevoked = """
    SELECT hash FROM operator_tokens WHERE hash > $1 AND revoked_at IS NULL ORDER BY hash
    """
/// `$2` is before every hash.
private let tokensRevoke = """
    UPDATE operator_tokens SET revoked_at = $1
    WHERE hash > $2 AND hash <> $3 AND revoked_at IS NULL
    """

/// The operator's tokens of the Admin API.
struct SQLOperatorTokens: OperatorTokenStore, SQLCapability {
    let database: SQLDatabase

    /// How long the token of a process that sets no expiry is active at newer processes.
    private static let olderLifetime = TimeSpan.days(1)

    func register(
        operatorToken hash: [UInt8], expiresAt: Timestamp?, now: Timestamp
    ) async throws -> Bool {
        try await engine.write { connection in
            _ = try connection.change(tokenRegister, hash, now, expiresAt)
            if expiresAt != nil {
                _ = try connection.change(olderTokensExpire, now + Self.olderLifetime, [UInt8]())
            }
            return try connection.first(tokenNotRevoked, hash) != nil
        }
    }

    func isActive(operatorToken hash: [UInt8], now: Timestamp) async throws -> Bool {
        try await !engine.query(tokenActive, hash, now).isEmpty
    }

    func revokeOperatorTokens(except hash: [UInt8], now: Timestamp) async throws -> Bool {
        let lock = tokensNotRevoked + dialect.forUpdate
        return try await engine.write { connection in
            let hashes = try connection.query(lock, [UInt8]()).records { try $0.bytes() }
            guard hashes.contains(hash) else { return false }
            _ = try connection.change(tokensRevoke, now, [UInt8](), hash)
            return true
        }
    }
}
