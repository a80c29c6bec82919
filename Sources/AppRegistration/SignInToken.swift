// SPDX-License-Identifier: Apache-2.0
package import JOSE

/// What an installation signs with its key to sign in, as the Sudo User SDK has it: a JWT that
/// speaks of itself, for the provider's audience, named by the provider's nonce. It goes to the
/// token endpoint as the `assertion` of RFC 7523 section 2.1.
package struct SignInToken: Sendable, Equatable {
    /// `iss` and `sub`: the `user_id` of the registration.
    package var userID: String
    /// `aud`: the `audience` of the challenge.
    package var audience: String
    /// `jti`: the `nonce` of the challenge.
    package var nonce: String
    /// Seconds since 1970; at most ``longestLifetime`` from now.
    package var expiresAt: Int64

    /// Seconds.
    package static let longestLifetime: Int64 = 300
    /// `typ` of the token by which an installation speaks of itself, and of nobody who uses it:
    /// `iss` and `sub` are the `installation_id` then. The type keeps the two apart.
    package static let deviceType = "device-session+jwt"

    package init(userID: String, audience: String, nonce: String, expiresAt: Int64) {
        self.userID = userID
        self.audience = audience
        self.nonce = nonce
        self.expiresAt = expiresAt
    }

    /// The claims of a token; `nil` when one is missing or of another kind. Proves nothing.
    package init?(_ claims: JSONObject) {
        guard let issuer = claims["iss"]?.string, let subject = claims["sub"]?.string,
            issuer.hasSameBytes(as: subject), let audience = claims["aud"]?.string,
            let nonce = claims["jti"]?.string, let expiresAt = claims["exp"]?.numericDate
        else { return nil }
        self.init(userID: subject, audience: audience, nonce: nonce, expiresAt: expiresAt)
    }

    package var json: [UInt8] {
        var claims = JSONWriter(capacity: 256)
        claims.member("iss", userID)
        claims.member("sub", userID)
        claims.member("aud", audience)
        claims.member("jti", nonce)
        claims.member("exp", expiresAt)
        return claims.finish()
    }

    /// - Parameter signer: of the installation's key; its `kid` is the registration's `key_id`.
    package func signed(by signer: JOSESigner) throws(JOSEError) -> String {
        String(decoding: try signer.sign(payload: json, typ: "JWT"), as: UTF8.self)
    }
}
