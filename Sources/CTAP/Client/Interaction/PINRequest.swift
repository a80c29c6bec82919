// SPDX-License-Identifier: Apache-2.0

/// Asks for the PIN of a key.
package struct PINRequest: Sendable, Equatable {
    package var key: AuthenticatorDescription
    package var operation: SecurityKeyOperation
    /// Why it is asked for again.
    package var problem: SecurityKeyError?
    /// How many wrong ones are left before the key blocks; `nil` when it does not say.
    package var triesLeft: Int?
}
