// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import HTTPTypes
import OAuth

/// The values of `WWW-Authenticate` in responses of endpoints that require an access token (RFC
/// 6750 section 3).
enum BearerChallenge {
    /// The challenge for a request without a token.
    static let signIn = #"Bearer realm="gatehouse""#

    /// Access is denied: without a token, or with one that is not valid here (section 3.1).
    static func signIn(to request: ServerRequest) -> String {
        request.headers[.authorization] == nil
            ? signIn : refusal(ErrorCode.invalidToken, scope: "")
    }

    /// - Parameter scope: The required scope, named if the token does not include it.
    static func refusal(_ code: String, scope: String) -> String {
        let error = #"\#(signIn), error="\#(code)""#
        return code == ErrorCode.insufficientScope ? error + #", scope="\#(scope)""# : error
    }
}
