// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import JOSE
import OAuth
import Primitives

/// A relying party of OpenID Connect: authorization code with PKCE, over HTTP, as any app would.
///
/// It knows the issuer's address and its own registration, and nothing else of the provider.
struct OpenIDRelyingParty: Sendable {
    /// What the app was registered with.
    struct Registration: Sendable {
        var issuer: String
        var clientID: String
        var clientSecret: Secret
        var redirectURI: String
        var postLogoutRedirectURI: String
        var scope = "openid profile email groups"
    }

    /// What a resource server wants to see before it goes on (RFC 9470 section 3).
    struct Challenge: Sendable, Equatable {
        var contextClasses: String
        var maxAge: String?
    }

    /// A sign-in under way, kept with the browser that began it.
    struct Pending: Sendable, Equatable {
        var state: String
        var nonce: String
        var verifier: String
        /// Whether it answers a resource server's challenge.
        var isStepUp = false
    }

    /// What the app received at a successful sign-in.
    struct Arrival: Sendable {
        var idToken: String
        var accessToken: String
        var claims: JSONObject
        var userInfo: JSONObject
    }

    /// A failed sign-in, with the reason in one sentence.
    struct Refused: Error, Sendable, Equatable { var reason: String }

    let registration: Registration
    let fetch: HTTPFetch
    let random: any RandomSource

    /// Where to send the browser, and what to remember.
    ///
    /// - Parameter challenge: of a resource server that the person's sign-in is too weak or too old
    ///   for (RFC 9470 section 4).
    func begin(
        answering challenge: Challenge? = nil
    ) async throws -> (location: String, pending: Pending) {
        let pending = Pending(
            state: Base64URL.encode(random.bytes(32)), nonce: Base64URL.encode(random.bytes(32)),
            verifier: Base64URL.encode(random.bytes(32)), isStepUp: challenge != nil)
        var parameters = [
            ("response_type", "code"), ("client_id", registration.clientID),
            ("redirect_uri", registration.redirectURI), ("scope", registration.scope),
            ("state", pending.state), ("nonce", pending.nonce),
            ("code_challenge", CodeChallenge.s256(of: pending.verifier)),
            ("code_challenge_method", "S256"),
        ]
        if let challenge {
            parameters.append(("acr_values", challenge.contextClasses))
            if let maxAge = challenge.maxAge { parameters.append(("max_age", maxAge)) }
        }
        let query = FormEncoding.encode(parameters)
        return ("\(try await endpoint("authorization_endpoint"))?\(query)", pending)
    }

    /// What the browser brought back becomes an arrival, or a refusal.
    func finish(_ answer: FormParameters, pending: Pending?, now: Timestamp) async throws -> Arrival
    {
        guard let pending, let state = answer["state"],
            ConstantTime.equal(Array(state.utf8), Array(pending.state.utf8))
        else { throw Refused(reason: "The sign-in did not start in this browser. Start it again.") }
        // RFC 9207: an answer of another provider must not be taken for ours.
        guard answer["iss"] == registration.issuer else {
            throw Refused(reason: "The answer came from another provider.")
        }
        guard let code = answer["code"] else {
            let reason = answer["error_description"] ?? answer["error"] ?? "no code"
            throw Refused(reason: "The provider refused the request: \(reason)")
        }
        let tokens = try await redeem(code, verifier: pending.verifier)
        guard let idToken = tokens["id_token"]?.string,
            let accessToken = tokens["access_token"]?.string
        else { throw Refused(reason: "The provider answered without tokens.") }
        let claims = try await verify(idToken, nonce: pending.nonce, now: now)
        return Arrival(
            idToken: idToken, accessToken: accessToken, claims: claims,
            userInfo: try await userInfo(accessToken, subject: claims["sub"]))
    }

    /// RP-initiated logout 1.0 section 2.
    func signOut(_ arrival: Arrival) async throws -> String {
        let query = FormEncoding.encode([
            ("id_token_hint", arrival.idToken), ("client_id", registration.clientID),
            ("post_logout_redirect_uri", registration.postLogoutRedirectURI),
        ])
        return "\(try await endpoint("end_session_endpoint"))?\(query)"
    }

    // MARK: The provider

    private func metadata() async throws -> JSONObject {
        try await object(
            fetch("GET", registration.issuer + "/.well-known/openid-configuration", [], nil))
    }

    private func endpoint(_ name: String) async throws -> String {
        guard let address = try await metadata()[name]?.string else {
            throw Refused(reason: "The provider's metadata has no \(name).")
        }
        return address
    }

    private func redeem(_ code: String, verifier: String) async throws -> JSONObject {
        let body = FormEncoding.encode([
            ("grant_type", "authorization_code"), ("code", code),
            ("redirect_uri", registration.redirectURI), ("code_verifier", verifier),
        ])
        // RFC 6749 section 2.3.1: both parts are form-encoded first. Ours need no encoding.
        let pair = "\(registration.clientID):\(registration.clientSecret.revealText())"
        let headers = [
            ("authorization", "Basic \(Base64.encode(Array(pair.utf8)))"),
            ("content-type", "application/x-www-form-urlencoded"),
        ]
        return try await object(
            fetch("POST", endpoint("token_endpoint"), headers, Array(body.utf8)))
    }

    /// OpenID Connect Core 1.0 section 3.1.3.7.
    private func verify(
        _ idToken: String, nonce: String, now: Timestamp
    ) async throws -> JSONObject {
        let keys = try await keys()
        let policy = ClaimsPolicy(
            issuers: [registration.issuer], audience: .only(oneOf: [registration.clientID]),
            types: nil, required: ["sub", "nonce"])
        do {
            let signed = try JWSVerifier(keys: keys, algorithms: [.es256, .rs256])
                .verify(compact: idToken)
            let claims = try policy.verify(signed, now: now)
            guard claims["nonce"]?.string == nonce else {
                throw Refused(reason: "The ID token was made for another sign-in.")
            }
            return claims.members
        } catch let error as JOSEError {
            throw Refused(reason: "The ID token was refused: \(error.code)")
        }
    }

    private func keys() async throws -> JWKSet {
        try await JWKSet(object(fetch("GET", endpoint("jwks_uri"), [], nil)))
    }

    /// The claims of an access token, as a resource server reads them (RFC 9068 section 4); `nil`
    /// for anything else.
    func verify(accessToken: String, now: Timestamp) async throws -> JSONObject? {
        let policy = ClaimsPolicy(
            issuers: [registration.issuer], audience: .includesOne(of: [registration.issuer]),
            types: ["at+jwt"], required: ["sub", "client_id"])
        guard
            let signed = try? JWSVerifier(keys: try await keys(), algorithms: [.es256])
                .verify(compact: accessToken),
            let claims = try? policy.verify(signed, now: now)
        else { return nil }
        return claims.members
    }

    /// OpenID Connect Core 1.0 section 5.3.2: the `sub` must be the ID token's.
    private func userInfo(_ token: String, subject: JSONValue?) async throws -> JSONObject {
        let info = try await object(
            fetch("GET", endpoint("userinfo_endpoint"), [("authorization", "Bearer \(token)")], nil)
        )
        guard info["sub"] == subject else {
            throw Refused(reason: "The user info names another person.")
        }
        return info
    }

    private func object(_ answer: HTTPFetched) throws -> JSONObject {
        let object = try? JSONParser.parseObject(answer.body, maximumBytes: 1024 * 1024)
        guard let object else {
            throw Refused(reason: "The provider answered \(answer.status) without JSON.")
        }
        guard answer.status == 200 else {
            let reason = object["error_description"]?.string ?? object["error"]?.string ?? ""
            throw Refused(reason: "The provider answered \(answer.status): \(reason)")
        }
        return object
    }
}

/// One exchange over HTTP: method, URL, header fields, body. The command brings a client for it.
package typealias HTTPFetch =
    @Sendable (String, String, [(String, String)], [UInt8]?) async throws -> HTTPFetched

package struct HTTPFetched: Sendable {
    package var status: Int
    package var body: [UInt8]
    /// `WWW-Authenticate`, when there is one.
    package var challenge: String?

    package init(status: Int, body: [UInt8], challenge: String? = nil) {
        self.status = status
        self.body = body
        self.challenge = challenge
    }
}
