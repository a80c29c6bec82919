// SPDX-License-Identifier: Apache-2.0

/// An error of building a message.
package enum MailError: Error, Equatable {
    /// Not an address that mail can be sent to.
    case invalidAddress
    /// A subject or a name with control characters, or longer than 256 bytes.
    case invalidHeaderText
    /// A text with a NUL, or longer than 64 KiB.
    case invalidText
    /// A message identifier that is not `left@right`.
    case invalidMessageID
}
