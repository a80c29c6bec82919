// SPDX-License-Identifier: Apache-2.0
import JOSE
package import Primitives

/// The tokens of a sign-in at one issuer.
package struct TokenSet: Sendable, Equatable {
    package var issuer: String
    package var clientID: String
    package var accessToken: Secret
    package var expiresAt: Timestamp
    package var refreshToken: Secret?
    package var scope = ""
    /// `sub` of the verified ID token.
    package var subject: String?

    package init(issuer: String, clientID: String, accessToken: Secret, expiresAt: Timestamp) {
        self.issuer = issuer
        self.clientID = clientID
        self.accessToken = accessToken
        self.expiresAt = expiresAt
    }

    /// Whether the access token is valid for another half minute.
    package func isFresh(at now: Timestamp) -> Bool { now + .seconds(30) < expiresAt }

    init?(_ value: JSONValue) {
        guard let issuer = value["issuer"]?.string, let clientID = value["client_id"]?.string,
            let accessToken = value["access_token"]?.string,
            let expiresAt = value["expires_at"]?.integer
        else { return nil }
        self.init(
            issuer: issuer, clientID: clientID, accessToken: Secret(accessToken),
            expiresAt: Timestamp(seconds: expiresAt))
        refreshToken = value["refresh_token"]?.string.map { Secret($0) }
        scope = value["scope"]?.string ?? ""
        subject = value["sub"]?.string
    }

    /// Includes the secrets: for the file only.
    var json: JSONValue {
        var object = JSONObject()
        object["issuer"] = .string(issuer)
        object["client_id"] = .string(clientID)
        object["access_token"] = .string(accessToken.revealText())
        object["expires_at"] = .integer(expiresAt.seconds)
        object["refresh_token"] = refreshToken.map { .string($0.revealText()) }
        object["scope"] = .string(scope)
        object["sub"] = subject.map { .string($0) }
        return .object(object)
    }
}
