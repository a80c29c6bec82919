// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import HTTPTypes
import JOSE
import Primitives
import ProviderCore

/// A sample app's till: a resource server that takes money from those only who have shown a key a
/// moment ago, and says so as RFC 9470 has it.
struct DemoTill {
    let party: OpenIDRelyingParty

    private static let contextClasses = ["phr", "phrh"]
    /// In seconds.
    private static let maxAge: Int64 = 300

    func respond(_ request: ServerRequest) async throws -> ServerResponse {
        let token = PresentedAccessToken.bearer(authorization: request.headers[.authorization])
        guard let token,
            let claims = try await party.verify(accessToken: token, now: request.facts.now)
        else { return refuse(#"Bearer error="invalid_token""#) }
        guard let context = claims["acr"]?.string, Self.contextClasses.contains(context),
            let time = claims["auth_time"]?.integer,
            request.facts.now.seconds - time <= Self.maxAge
        else {
            return refuse(
                #"Bearer error="insufficient_user_authentication", "#
                    + #"error_description="Show a passkey or security key first", "#
                    + #"acr_values="\#(Self.contextClasses.joined(separator: " "))", "#
                    + #"max_age="\#(Self.maxAge)""#)
        }
        return .json((["paid": true] as JSONValue).bytes)
    }

    private func refuse(_ challenge: String) -> ServerResponse {
        var response = ServerResponse(status: .unauthorized, headers: [.cacheControl: "no-store"])
        response.headers[.wwwAuthenticate] = challenge
        return response
    }

    /// What a client makes of the challenge; `nil` when it is another one (RFC 9470 section 3).
    static func read(_ challenge: String?) -> OpenIDRelyingParty.Challenge? {
        guard let challenge,
            parameter("error", of: challenge) == "insufficient_user_authentication",
            let classes = parameter("acr_values", of: challenge)
        else { return nil }
        return OpenIDRelyingParty.Challenge(
            contextClasses: classes, maxAge: parameter("max_age", of: challenge))
    }

    private static func parameter(_ name: String, of challenge: String) -> String? {
        guard let start = challenge.firstRange(of: " \(name)=\"")?.upperBound else { return nil }
        return String(challenge[start...].prefix { $0 != "\"" })
    }
}
