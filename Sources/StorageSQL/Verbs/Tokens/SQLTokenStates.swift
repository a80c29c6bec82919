// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

private let unmarked = """
    NOT EXISTS (SELECT 1 FROM used_marks WHERE kind = 'revoked_token' AND mark = $1)
    """
private let tokenLiving = "SELECT 1 WHERE \(unmarked)"
let tokenOfGrantLiving = """
    SELECT 1 FROM grants g JOIN people p ON p.id = g.person_id
    WHERE g.id = $2 AND g.redeemed_at IS NOT NULL AND g.revoked_at IS NULL AND g.expires_at > $3
    AND p.disabled = 0 AND \(unmarked)
    """

/// The state of an access token, in one read.
struct SQLTokenStates: TokenStateStore, SQLCapability {
    let database: SQLDatabase

    func tokenState(
        jti: [UInt8], grant: Identifier<Grant>?, now: Timestamp
    ) async throws -> TokenState {
        let found =
            if let grant {
                try await engine.query(tokenOfGrantLiving, jti, grant, now)
            } else {
                try await engine.query(tokenLiving, jti)
            }
        return found.isEmpty ? .revoked : .active
    }
}
