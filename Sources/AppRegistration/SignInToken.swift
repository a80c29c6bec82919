// SPDX-License-Identifier: Apache-2.0
package import JOSE

/// The token that an installation signs with its key to sign in, in the form of the Sudo User SDK:
/// a self-issued JWT for the provider's audience, with the provider's nonce. It is sent to the
/// token endpoint as the `assertion` of RFC 7523 section 2.1.
package struct SignInToken: Sendable, Equatable {
    /// `iss` and `sub`: the `user_id` of the registration.
    package var userID: String
    /// `aud`: the `audience` of the challenge.
    package var audience: String
    /// `jti`: the `nonce` of the challenge.
    package var nonce: String
    /// Seconds since 1970; at most ``maximumLifetime`` from now.
    package var expiresAt: Int64

    /// Seconds.
    package static let maximumLifetime: Int64 = 300
    /// `typ` of the token that identifies the installation without its person: `iss` and `sub` are
    /// then the `installation_id`. The type distinguishes the two.
    package static let deviceType = "device-session+jwt"

    package init(userID: String, audience: String, nonce: String, expiresAt: Int64) {
        self.userID = userID
        self.audience = audience
        self.nonce = nonce
        self.expiresAt = expiresAt
    }

    /// Reads the claims of a token; `nil` if one is missing or of another type. The signature is
    /// not verified.
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

    /// - Parameter signer: Of the installation's key; its `kid` is the registration's `key_id`.
    package func signed(by signer: JOSESigner) throws(JOSEError) -> String {
        String(decoding: try signer.sign(payload: json, typ: "JWT"), as: UTF8.self)
    }
}
