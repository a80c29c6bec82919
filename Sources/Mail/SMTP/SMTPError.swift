// SPDX-License-Identifier: Apache-2.0

/// The reason why a message could not be sent.
package enum SMTPError: Error, Equatable {
    /// No connection, or it broke. The text is the system's.
    case connection(String)
    /// The server did not respond in time. Contains the awaited reply: that to a command, or
    /// `greeting`.
    case timeout(awaiting: String)
    /// The server closed the connection before it had taken the message.
    case closed
    /// The server sent data other than SMTP.
    case malformedReply
    /// The server refused the command. `code` is the server's: 4xx may succeed later, 5xx will not.
    case refused(command: String, code: Int)
    /// The server does not offer STARTTLS, and this host is spoken to under TLS only.
    case encryptionUnavailable
    /// The server sent a reply without a command. Attackers inject such replies before STARTTLS.
    case unsolicitedReply
    /// The server offers neither AUTH PLAIN nor AUTH LOGIN.
    case authenticationUnavailable
    /// The URL is not `smtp://` or `smtps://` with host, port, and nothing else.
    case invalidURL
}
