// SPDX-License-Identifier: Apache-2.0
package import JOSE

/// The claims of an ID token (OpenID Connect Core section 2). Times are in seconds since 1970.
package struct IDTokenClaims: Sendable {
    /// The claim that proves the person's response to an approval request.
    static let approval = "approval"

    package var issuer: String
    package var subject: String
    /// The `client_id`: audience and authorized party.
    package var clientID: String
    package var issuedAt: Int64
    package var expiresAt: Int64
    package var authenticatedAt: Int64
    package var nonce: String?
    package var contextClass: String
    package var methods: [String]
    package var session: String?
    /// The individually requested claims of the person, with those of scopes and of the client.
    package var single: [(name: String, value: JSONValue)] = []

    package init(
        issuer: String, subject: String, clientID: String, issuedAt: Int64, expiresAt: Int64,
        authenticatedAt: Int64, nonce: String? = nil, contextClass: String, methods: [String],
        session: String? = nil, single: [(name: String, value: JSONValue)] = []
    ) {
        self.issuer = issuer
        self.subject = subject
        self.clientID = clientID
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
        self.authenticatedAt = authenticatedAt
        self.nonce = nonce
        self.contextClass = contextClass
        self.methods = methods
        self.session = session
        self.single = single
    }

    /// - Parameter accessTokenHash: `at_hash`, section 3.1.3.6; `nil` without an access token.
    package func json(accessTokenHash: String?) -> [UInt8] {
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
