// SPDX-License-Identifier: Apache-2.0

/// A command that waits for a gesture. The caller returns it to the machine with the result.
package struct PendingCommand {
    var operation: AuthenticatorCommand
    /// The command byte of CTAP2; `nil` for U2F.
    let code: UInt8?
}
