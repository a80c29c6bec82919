// SPDX-License-Identifier: Apache-2.0

/// Something that takes messages off our hands.
package protocol MailTransport: Sendable {
    /// Returns when the next machine has taken responsibility for the message; throws when it has
    /// not, or when that is unknown.
    func send(_ message: MailMessage) async throws
}
