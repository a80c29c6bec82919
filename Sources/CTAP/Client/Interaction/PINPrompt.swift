// SPDX-License-Identifier: Apache-2.0

/// Asks for the PIN of a key.
package struct PINPrompt: Sendable, Equatable {
    package var key: AuthenticatorDescription
    package var operation: SecurityKeyOperation
    /// The reason for another prompt.
    package var problem: SecurityKeyError?
    /// The remaining attempts before the key blocks; `nil` if the key does not report them.
    package var triesLeft: Int?
}
