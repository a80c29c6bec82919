// SPDX-License-Identifier: Apache-2.0

/// A transport of messages.
package protocol MailTransport: Sendable {
    /// Returns when the next machine has taken responsibility for the message; throws when it has
    /// not, or when that is unknown.
    func send(_ message: MailMessage) async throws
}
