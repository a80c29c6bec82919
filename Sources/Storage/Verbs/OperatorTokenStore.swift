// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// A store of the operator's tokens of the Admin API, by their hashes: one for each data directory,
/// valid at every process.
package protocol OperatorTokenStore: Sendable {
    /// Inserts the token unless it is known. Returns `false` if it was revoked.
    func register(operatorToken hash: [UInt8], now: Timestamp) async throws -> Bool
    func isActive(operatorToken hash: [UInt8]) async throws -> Bool
    /// Revokes all tokens and inserts this one in one transaction.
    func replaceOperatorTokens(with hash: [UInt8], now: Timestamp) async throws
}
