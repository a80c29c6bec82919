// SPDX-License-Identifier: Apache-2.0

/// Where a software key keeps its state. A store belongs to one key at a time.
///
/// Both calls may block; only the key's own thread makes them.
package protocol AuthenticatorStore: Sendable {
    /// What was saved last; `nil` when nothing ever was.
    func load() throws(AuthenticatorStoreError) -> AuthenticatorState?

    /// Returns only when the state would survive a loss of power. After an error nobody knows
    /// which of the two states did, so the key stops working until it is opened again.
    func save(_ state: AuthenticatorState) throws(AuthenticatorStoreError)
}
