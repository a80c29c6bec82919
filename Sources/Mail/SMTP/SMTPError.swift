// SPDX-License-Identifier: Apache-2.0

/// Why a message could not be handed over.
package enum SMTPError: Error, Equatable {
    /// No connection, or it broke. The text is the system's.
    case connection(String)
    /// The server took too long. Tells what was waited for: the reply to a command, or `greeting`.
    case timeout(awaiting: String)
    /// The server closed the connection before it had taken the message.
    case closed
    /// What came is no SMTP.
    case malformedReply
    /// The server said no. `code` is its own: 4xx may succeed later, 5xx will not.
    case refused(command: String, code: Int)
    /// The server does not offer STARTTLS, and this host is spoken to under TLS only.
    case encryptionUnavailable
    /// A reply came that nothing was asked for: how replies are smuggled in before STARTTLS.
    case unsolicitedReply
    /// The server offers neither AUTH PLAIN nor AUTH LOGIN.
    case authenticationUnavailable
    /// The URL is not `smtp://` or `smtps://` with host, port, and nothing else.
    case invalidURL

    /// Whether it is worth trying again later.
    package var isTransient: Bool {
        switch self {
        case .connection, .timeout, .closed: true
        case .refused(_, let code): code < 500
        default: false
        }
    }
}
