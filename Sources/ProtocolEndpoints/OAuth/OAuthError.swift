// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import HTTPTypes
import JOSE
import OAuth
import ProviderCore

/// The one error writer of the OAuth endpoints: RFC 6749 section 5.2.
enum OAuthError {
    /// - Parameter challenges: whether the client tried the `Authorization` header, and so is told
    ///   which scheme would be right.
    static func response(_ refusal: Refusal, challenges: Bool = false) -> ServerResponse {
        var body = JSONWriter(capacity: 256)
        body.member("error", refusal.code)
        body.member("error_description", printable(refusal.message))
        for member in refusal.members { body.member(named: member.name, member.value) }
        var response = ServerResponse.json(body.finish(), status: status(of: refusal))
        if challenges, refusal.code == ErrorCode.invalidClient {
            response.headers[.wwwAuthenticate] = #"Basic realm="gatehouse", charset="UTF-8""#
        }
        DPoPChallenge.addNonce(of: refusal, to: &response)
        if let wait = refusal.retryAfter { response.headers[.retryAfter] = String(wait) }
        return response
    }

    static func invalidRequest(_ message: String) -> ServerResponse {
        response(Refusal(ErrorCode.invalidRequest, message, reason: message))
    }

    private static func status(of refusal: Refusal) -> HTTPResponse.Status {
        switch refusal.code {
        case ErrorCode.invalidClient, ErrorCode.invalidToken: .unauthorized
        case ErrorCode.insufficientScope: .forbidden
        case "too_many_attempts": .tooManyRequests
        default: .badRequest
        }
    }

    /// `error_description` may hold %x20-21 / %x23-5B / %x5D-7E only.
    static func printable(_ text: String) -> String {
        String(
            decoding: text.utf8.map { byte in
                (0x20...0x7E).contains(byte) && byte != 0x22 && byte != 0x5C
                    ? byte : UInt8(ascii: "'")
            }, as: UTF8.self)
    }
}
