// SPDX-License-Identifier: Apache-2.0

/// Asks for a PIN to be made up.
package struct NewPINPrompt: Sendable, Equatable {
    package var key: AuthenticatorDescription
    package var operation: SecurityKeyOperation
    /// The reason for another prompt.
    package var problem: SecurityKeyError?
    /// In code points.
    package var minimumLength: Int
}
