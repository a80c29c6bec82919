// SPDX-License-Identifier: Apache-2.0

/// An error of a sign-in or of obtaining a token.
package enum UserClientError: Error, Equatable, CustomStringConvertible {
    /// The issuer is not an `https` URL, or `http` to a loopback address.
    case insecureIssuer(String)
    case unreachable(String)
    /// The response violates the specification. The text contains the location.
    case invalidAnswer(String)
    /// The server refused; `code` is the error code of RFC 6749 or RFC 8628.
    case refused(code: String, description: String?)
    /// There is no sign-in at this issuer.
    case signedOut
    /// The sign-in was not finished in time.
    case timedOut
    /// The file with the tokens cannot be read or written.
    case file(String)

    package var description: String {
        switch self {
        case .insecureIssuer(let issuer):
            "\(issuer) is not an issuer: it must be https, or http on this device"
        case .unreachable(let text): text
        case .invalidAnswer(let text): "the server's response is not valid: \(text)"
        case .refused(let code, let description):
            description.map { "\($0) (\(code))" } ?? "the server refused: \(code)"
        case .signedOut: "not signed in; use gatehouse login"
        case .timedOut: "the sign-in was not finished in time"
        case .file(let text): text
        }
    }
}
