// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// A store of the operator's tokens of the Admin API, by their hashes: one for each data directory,
/// valid at every process.
///
/// A token is active until its expiry, which its process extends, unless a rotation revoked it. A
/// revoked token remains in the store, so that no process registers it again.
package protocol OperatorTokenStore: Sendable {
    /// Inserts the token, or sets its expiry. Returns `false` if it was revoked.
    ///
    /// - Parameter expiresAt: `nil` for a store that only one process uses.
    func register(
        operatorToken hash: [UInt8], expiresAt: Timestamp?, now: Timestamp
    ) async throws -> Bool
    func isActive(operatorToken hash: [UInt8], now: Timestamp) async throws -> Bool
    /// Revokes all other tokens in one transaction. Returns `false`, and revokes none, if this one
    /// is revoked.
    func revokeOperatorTokens(except hash: [UInt8], now: Timestamp) async throws -> Bool
}
