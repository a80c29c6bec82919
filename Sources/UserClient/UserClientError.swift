// SPDX-License-Identifier: Apache-2.0

/// Why a person could not be signed in, or a token not be had.
package enum UserClientError: Error, Equatable, CustomStringConvertible {
    /// The issuer is not an `https` address, or `http` on this machine.
    case insecureIssuer(String)
    case unreachable(String)
    /// What came back is not what the specification says. The text tells where.
    case invalidAnswer(String)
    /// The server refused; `code` is the error code of RFC 6749 or RFC 8628.
    case refused(code: String, description: String?)
    /// Nobody is signed in at this issuer.
    case signedOut
    /// The sign-in was not finished in time.
    case timedOut
    /// The file with the tokens cannot be read or written.
    case file(String)

    package var description: String {
        switch self {
        case .insecureIssuer(let issuer):
            "\(issuer) is no issuer: it must be https, or http on this machine"
        case .unreachable(let text): text
        case .invalidAnswer(let text): "the server's answer is not valid: \(text)"
        case .refused(let code, let description):
            description.map { "\($0) (\(code))" } ?? "the server refused: \(code)"
        case .signedOut: "nobody is signed in; use gatehouse login"
        case .timedOut: "the sign-in was not finished in time"
        case .file(let text): text
        }
    }
}
