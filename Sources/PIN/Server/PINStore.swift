// SPDX-License-Identifier: Apache-2.0

/// Where records and living nonces are kept. Both engines implement it by the two verbs below; no
/// transaction crosses this line.
package protocol PINStore: Sendable {
    func pinRecord(of keyID: PINKeyID) async throws -> PINRecord?

    /// In one durable step: takes the living nonce out of use and, when there is a successor, puts
    /// it in the place of the record whose revision is `revision` (0: inserts it). Nothing changes
    /// unless all of it can.
    ///
    /// Everything that bounds guessing rests on this: whatever was judged at the same moment, each
    /// answer that is given was settled alone, after all those before it.
    func settlePIN(
        _ successor: PINRecord?, of keyID: PINKeyID, judgedAt revision: Int64,
        consuming nonce: PINNonce
    ) async throws -> PINSettlement
}

package enum PINSettlement: Sendable, Equatable {
    case settled
    /// The record has another revision by now: judge again, with the same nonce.
    case stale
    /// The nonce is not living. Also said when the record is stale as well.
    case nonceGone
}
