// SPDX-License-Identifier: Apache-2.0
import JOSE

/// A successful response of the token endpoint, RFC 6749 section 5.1.
package struct TokenResponse: Sendable, Equatable {
    package var accessToken: String
    /// Seconds.
    package var expiresIn: Int64
    package var refreshToken: String?
    package var idToken: String?
    /// The granted scope; an empty one is omitted.
    package var scope: String
    /// Whether the access token is bound to a key (RFC 9449 section 5).
    package var isBoundToKey: Bool
    /// RFC 8693 section 2.2.1; `nil` for all other grants.
    package var issuedTokenType: String?

    package init(
        accessToken: String, expiresIn: Int64, refreshToken: String? = nil, idToken: String? = nil,
        scope: String, isBoundToKey: Bool = false
    ) {
        self.accessToken = accessToken
        self.expiresIn = expiresIn
        self.refreshToken = refreshToken
        self.idToken = idToken
        self.scope = scope
        self.isBoundToKey = isBoundToKey
    }

    package var json: [UInt8] {
        var object = JSONWriter(capacity: 1024)
        object.member("access_token", accessToken)
        object.member("token_type", isBoundToKey ? "DPoP" : "Bearer")
        object.member("issued_token_type", ifPresent: issuedTokenType)
        object.member("expires_in", expiresIn)
        object.member("refresh_token", ifPresent: refreshToken)
        object.member("id_token", ifPresent: idToken)
        if !scope.isEmpty { object.member("scope", scope) }
        return object.finish()
    }
}
