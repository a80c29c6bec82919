// SPDX-License-Identifier: Apache-2.0
package import JOSE
package import Primitives
package import Storage

/// The claims of an access token (RFC 9068 section 2.2). Times are in seconds since 1970.
package struct AccessTokenClaims: Sendable, Equatable {
    package var issuer: String
    /// The person, or the client or installation that acts for itself.
    package var subject: String
    package var audience: String
    package var clientID: String
    /// Separated by spaces.
    package var scope: String
    package var issuedAt: Int64
    package var expiresAt: Int64
    /// 16 bytes.
    package var tokenID: [UInt8]
    package var authenticatedAt: Int64?
    package var contextClass: String?
    package var methods: [String]?
    package var session: String?
    package var grant: Identifier<Grant>?
    /// The person's entitlements, if the client requested the scope.
    package var entitlements: JSONObject?
    /// Further claims for the resource: `groups`, and the client's custom claims.
    package var more = JSONObject()
    /// The thumbprint of the key that the token is bound to; `nil` for bearer tokens.
    package var confirmation: String?

    /// `typ` of the header.
    package static let type = "at+jwt"

    var json: [UInt8] {
        var claims = JSONWriter(capacity: 512)
        claims.member("iss", issuer)
        claims.member("sub", subject)
        claims.member("aud", audience)
        claims.member("client_id", clientID)
        if !scope.isEmpty { claims.member("scope", scope) }
        claims.member("iat", issuedAt)
        claims.member("exp", expiresAt)
        claims.member("jti", token: Base64URL.encodeBytes(tokenID))
        if let authenticatedAt { claims.member("auth_time", authenticatedAt) }
        claims.member("acr", ifPresent: contextClass)
        if let methods, !methods.isEmpty { claims.member("amr", methods) }
        claims.member("sid", ifPresent: session)
        if let grant { claims.member("gid", grant.description) }
        // RFC 9449 section 6.1.
        if let confirmation { claims.member("cnf", ["jkt": .string(confirmation)]) }
        if let entitlements { claims.member("entitlements", .object(entitlements)) }
        for member in more.members { claims.member(named: member.name, member.value) }
        return claims.finish()
    }
}

extension AccessTokenClaims {
    /// Returns `nil` if a required claim is missing or has another type.
    init?(_ claims: JSONObject) {
        guard let issuer = claims["iss"]?.string, let subject = claims["sub"]?.string,
            let audience = claims["aud"]?.string, let clientID = claims["client_id"]?.string,
            let issuedAt = claims["iat"]?.integer, let expiresAt = claims["exp"]?.integer,
            let tokenID = claims["jti"]?.string.flatMap({ Base64URL.decode($0) }),
            tokenID.count == 16
        else { return nil }
        self.init(
            issuer: issuer, subject: subject, audience: audience, clientID: clientID,
            scope: claims["scope"]?.string ?? "", issuedAt: issuedAt, expiresAt: expiresAt,
            tokenID: tokenID, authenticatedAt: claims["auth_time"]?.integer,
            contextClass: claims["acr"]?.string, methods: claims["amr"]?.strings,
            session: claims["sid"]?.string, grant: nil)
        if let named = claims["gid"] {
            guard let grant = named.string.flatMap({ Identifier<Grant>($0) }) else { return nil }
            self.grant = grant
        }
        if let bound = claims["cnf"] {
            guard let thumbprint = bound["jkt"]?.string else { return nil }
            confirmation = thumbprint
        }
    }
}
