// SPDX-License-Identifier: Apache-2.0
package import JOSE
import OAuth
package import Primitives

/// A public OAuth client (RFC 8252). It communicates with one issuer's endpoints and stores
/// nothing.
package struct OpenIDClient: Sendable {
    package let clientID: String
    let web: any WebTransport
    let clock: any WallClock
    let random: any RandomSource

    package init(
        clientID: String, web: any WebTransport, clock: any WallClock, random: any RandomSource
    ) {
        self.clientID = clientID
        self.web = web
        self.clock = clock
        self.random = random
    }

    /// The maximum size of a JSON response, in bytes.
    private static let greatestAnswer = 1_048_576

    /// Fetches the endpoints of an issuer.
    package func discover(_ issuer: String) async throws -> ProviderEndpoints {
        guard ProviderEndpoints.isProtected(issuer), !issuer.hasSuffix("/") else {
            throw UserClientError.insecureIssuer(issuer)
        }
        let url = issuer + "/.well-known/openid-configuration"
        let reply = try await ask(WebRequest(method: "GET", url: url, headers: [], body: nil))
        guard reply.status == 200 else {
            throw UserClientError.invalidAnswer("\(url) answered \(reply.status)")
        }
        return try ProviderEndpoints(metadata: try object(reply), issuer: issuer)
    }

    /// Returns the claims about the person (OpenID Connect Core section 5.3).
    package func userInfo(
        _ directory: ProviderEndpoints, accessToken: Secret
    ) async throws -> JSONObject {
        guard let url = directory.userInfo else {
            throw UserClientError.invalidAnswer("the issuer has no userinfo endpoint")
        }
        let header = ("authorization", "Bearer \(accessToken.revealText())")
        let reply = try await ask(WebRequest(method: "GET", url: url, headers: [header], body: nil))
        if reply.status == 401 { throw UserClientError.signedOut }
        guard reply.status == 200 else { throw refusal(reply) }
        return try object(reply)
    }

    /// Revokes a refresh token and all tokens of its grant (RFC 7009).
    package func revoke(_ directory: ProviderEndpoints, token: Secret) async throws {
        guard let url = directory.revocation else { return }
        let reply = try await post(
            url,
            [
                ("token", token.revealText()), ("token_type_hint", "refresh_token"),
                ("client_id", clientID),
            ])
        guard reply.status == 200 else { throw refusal(reply) }
    }

    /// Sends a message to the token endpoint, and returns the granted tokens.
    func grant(
        _ directory: ProviderEndpoints, _ form: [(String, String)], nonce: String? = nil
    ) async throws -> TokenSet {
        let sentAt = clock.now
        let reply = try await post(directory.token, form + [("client_id", clientID)])
        guard reply.status == 200 else { throw refusal(reply) }
        let answer = try object(reply)
        guard let accessToken = answer["access_token"]?.string, !accessToken.isEmpty,
            answer["token_type"]?.string?.lowercased() == "bearer"
        else { throw UserClientError.invalidAnswer("the token response has no bearer token") }
        let lifetime = min(max(answer["expires_in"]?.integer ?? 0, 0), 31_536_000)
        var tokens = TokenSet(
            issuer: directory.issuer, clientID: clientID, accessToken: Secret(accessToken),
            expiresAt: sentAt + .seconds(lifetime))
        tokens.refreshToken = answer["refresh_token"]?.string.map { Secret($0) }
        tokens.scope = answer["scope"]?.string ?? ""
        if let idToken = answer["id_token"]?.string {
            tokens.subject = try await verify(idToken, of: directory, nonce: nonce)
        }
        return tokens
    }

    /// Returns the subject of a verified ID token (OpenID Connect Core section 3.1.3.7).
    private func verify(
        _ idToken: String, of directory: ProviderEndpoints, nonce: String?
    ) async throws -> String {
        let reply = try await ask(
            WebRequest(method: "GET", url: directory.keys, headers: [], body: nil))
        let claims: VerifiedClaims
        do throws(JOSEError) {
            let keys = try JWKSet(bytes: reply.body)
            let verifier = JWSVerifier(keys: keys, algorithms: [.es256, .rs256])
            let policy = ClaimsPolicy(
                issuers: [directory.issuer], audience: .includesOne(of: [clientID]), types: nil,
                required: ["iss", "sub", "aud", "exp", "iat"],
                // The token was just received from the provider: a wrong clock must not prevent the
                // sign-in.
                leeway: .days(1))
            claims = try policy.verify(try verifier.verify(compact: idToken), now: clock.now)
        } catch {
            throw UserClientError.invalidAnswer("the ID token cannot be trusted: \(error)")
        }
        if let nonce, claims["nonce"]?.string != nonce {
            throw UserClientError.invalidAnswer("the ID token is that of another sign-in")
        }
        guard let subject = claims.subject else {
            throw UserClientError.invalidAnswer("the ID token does not identify a person")
        }
        return subject
    }

    func post(_ url: String, _ form: [(String, String)]) async throws -> WebResponse {
        let body = FormEncoding.encode(form.map { (name: $0.0, value: $0.1) })
        let header = ("content-type", "application/x-www-form-urlencoded")
        return try await ask(
            WebRequest(method: "POST", url: url, headers: [header], body: Array(body.utf8)))
    }

    private func ask(_ request: WebRequest) async throws -> WebResponse {
        do { return try await web.answer(to: request) } catch {
            throw UserClientError.unreachable(
                "\(request.url) cannot be reached: \(ConnectionError.words(for: error))")
        }
    }

    func object(_ reply: WebResponse) throws(UserClientError) -> JSONObject {
        do {
            return try JSONParser.parseObject(reply.body, maximumBytes: Self.greatestAnswer)
        } catch { throw .invalidAnswer("it is not a JSON object") }
    }

    /// Returns the error of RFC 6749 section 5.2, if the response is one.
    func refusal(_ reply: WebResponse) -> UserClientError {
        guard let answer = try? object(reply), let code = answer["error"]?.string else {
            return .invalidAnswer("status \(reply.status)")
        }
        return .refused(code: code, description: answer["error_description"]?.string)
    }
}
