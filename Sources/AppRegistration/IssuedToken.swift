// SPDX-License-Identifier: Apache-2.0
package import JOSE

/// The claims of an issuer's token that identifies a person, for the registration methods
/// `signedJWT` and `testKey`. Times are seconds since 1970.
package struct IssuedToken: Sendable, Equatable {
    package var issuer: String
    package var audience: String
    package var subject: String
    package var tokenID: String
    package var issuedAt: Int64
    package var expiresAt: Int64
    /// Further claims of the issuer. A name of ``registeredClaims`` is omitted.
    package var attributes: JSONObject

    /// RFC 7519 section 4.1: an attribute never replaces one of these.
    package static let registeredClaims = ["iss", "sub", "aud", "exp", "nbf", "iat", "jti"]

    /// The default, which an issuer's key can override.
    package static let usualAudience = "identity-service"
    package static let testIssuer = "testRegisterIssuer"
    package static let testAudience = "testRegisterAudience"
    /// The claim with an entitlement set in a token of a test key.
    package static let entitlementSetClaim = "custom:entitlementsSet"
    /// The maximum lifetime of a token in seconds: an hour, as the SDKs of the Sudo Platform use.
    package static let maximumLifetime: Int64 = 3600

    package init(
        issuer: String, audience: String = usualAudience, subject: String, tokenID: String,
        issuedAt: Int64, expiresAt: Int64, attributes: JSONObject = JSONObject()
    ) {
        self.issuer = issuer
        self.audience = audience
        self.subject = subject
        self.tokenID = tokenID
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
        self.attributes = attributes
    }

    package var json: [UInt8] {
        var claims = JSONWriter(capacity: 512)
        claims.member("iss", issuer)
        claims.member("aud", audience)
        claims.member("sub", subject)
        claims.member("jti", tokenID)
        claims.member("iat", issuedAt)
        claims.member("exp", expiresAt)
        for member in attributes.members where !Self.registeredClaims.contains(member.name) {
            claims.member(named: member.name, member.value)
        }
        return claims.finish()
    }

    /// - Parameter signer: Of the issuer's key; its `kid` is the registered one.
    package func signed(by signer: JOSESigner) throws(JOSEError) -> String {
        String(decoding: try signer.sign(payload: json, typ: "JWT"), as: UTF8.self)
    }
}
