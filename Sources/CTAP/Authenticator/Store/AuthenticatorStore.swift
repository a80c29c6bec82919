// SPDX-License-Identifier: Apache-2.0

/// The storage of a software key's state. A store belongs to one key at a time.
///
/// Both calls may block; only the key's thread calls them.
package protocol AuthenticatorStore: Sendable {
    /// Returns the last saved state; `nil` if there is none.
    func load() throws(AuthenticatorStoreError) -> AuthenticatorState?

    /// Saves the state. Returns when it would survive a loss of power. After an error either state
    /// may be durable, so the key refuses all commands until it is opened again.
    func save(_ state: AuthenticatorState) throws(AuthenticatorStoreError)
}
