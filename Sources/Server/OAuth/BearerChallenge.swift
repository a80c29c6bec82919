// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import OAuth

/// What the answers of something that access tokens open say in their heads: RFC 6750 section 3.
enum BearerChallenge {
    /// Nobody has shown a token.
    static let signIn = #"Bearer realm="gatehouse""#

    /// Access is denied: without a token, or with one that is not valid here (section 3.1).
    static func signIn(to request: ServerRequest) -> String {
        request.headers[.authorization] == nil
            ? signIn : refusal(ErrorCode.invalidToken, scope: "")
    }

    /// - Parameter scope: What opens it; said where the token lacks that.
    static func refusal(_ code: String, scope: String) -> String {
        let error = #"\#(signIn), error="\#(code)""#
        return code == ErrorCode.insufficientScope ? error + #", scope="\#(scope)""# : error
    }
}
