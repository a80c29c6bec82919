// SPDX-License-Identifier: Apache-2.0
import JOSE

/// The claims of an ID token (OpenID Connect Core section 2). Times are in seconds since 1970.
struct IDTokenClaims: Sendable {
    /// The claim that proves the person's response to an approval request.
    static let approval = "approval"

    var issuer: String
    var subject: String
    /// The `client_id`: audience and authorized party.
    var clientID: String
    var issuedAt: Int64
    var expiresAt: Int64
    var authenticatedAt: Int64
    var nonce: String?
    var contextClass: String
    var methods: [String]
    var session: String?
    /// The individually requested claims of the person, with those of scopes and of the client.
    var single: [(name: String, value: JSONValue)] = []

    /// - Parameter accessTokenHash: `at_hash`, section 3.1.3.6; `nil` without an access token.
    func json(accessTokenHash: String?) -> [UInt8] {
        var claims = JSONWriter(capacity: 640)
        claims.member("iss", issuer)
        claims.member("sub", subject)
        claims.member("aud", clientID)
        claims.member("azp", clientID)
        claims.member("iat", issuedAt)
        claims.member("exp", expiresAt)
        claims.member("auth_time", authenticatedAt)
        claims.member("nonce", ifPresent: nonce)
        claims.member("acr", contextClass)
        if !methods.isEmpty { claims.member("amr", methods) }
        claims.member("sid", ifPresent: session)
        claims.member("at_hash", ifPresent: accessTokenHash)
        for (name, value) in single { claims.member(named: name, value) }
        return claims.finish()
    }
}
