// SPDX-License-Identifier: Apache-2.0

/// A store of records and active nonces. Both engines implement it with these two operations; a
/// transaction is never open across them.
package protocol PINStore: Sendable {
    func pinRecord(of keyID: PINKeyID) async throws -> PINRecord?

    /// Consumes the active nonce and, if there is a successor, replaces the record whose revision
    /// is `revision` (0: inserts it), in one durable transaction. It applies both or neither.
    ///
    /// The attempt limit depends on this: of concurrent requests, each sent response belongs to a
    /// change that was saved alone and after all earlier ones.
    func applyPINChange(
        _ successor: PINRecord?, of keyID: PINKeyID, evaluatedAt revision: Int64,
        consuming nonce: PINNonce
    ) async throws -> PINSettlement
}

package enum PINSettlement: Sendable, Equatable {
    case applied
    /// The record has another revision: verify again, with the same nonce.
    case stale
    /// The nonce is not active. Also returned if the record is stale as well.
    case nonceGone
}
