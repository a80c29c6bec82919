// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import HTTPServer
import HTTPTypes
import JOSE
import OAuth
import Primitives
import ProviderCore
import ProviderInstallations
import Storage
import Support
import Testing

/// A provider with one registered issuer and a public client for apps, asked over its real routes.
struct RegistrationHouse {
    static let issuer = "https://idp.example"

    let oauth: OAuthHouse
    /// Of the issuer's key `k1`, ES256.
    let signer: JOSESigner

    var provider: Provider { oauth.provider }
    var now: Int64 { oauth.clock.now.seconds }

    init(http: any OutgoingHTTP = NoOutgoingHTTP(), provesKeys: Bool = true) async throws {
        oauth = try await OAuthHouse(http: http, provesKeys: provesKeys)
        signer = try await Self.addIssuer(to: oauth)
        try await oauth.addClient("app") {
            $0.secretHash = nil
            $0.metadata.tokenEndpointAuthMethod = "none"
            $0.metadata.grantTypes = [TokenRequest.assertionGrantType, "refresh_token"]
            $0.metadata.scope = "openid profile offline_access registration"
        }
    }

    // MARK: What lives in it

    /// A key of an issuer, registered as an administrator would have.
    @discardableResult
    static func addIssuer(
        _ issuer: String = issuer, kid: String = "k1", _ algorithm: JWSAlgorithm = .es256,
        to house: OAuthHouse, in tenant: Tenant? = nil,
        _ change: (inout IssuerKey) -> Void = { _ in }
    ) async throws -> JOSESigner {
        let pair = try PrivateJWK.generate(for: algorithm)
        var key = IssuerKey(
            id: Identifier(now: house.clock.now, random: house.random),
            project: (tenant ?? house.tenant).project.id, kind: .federation, issuer: issuer,
            kid: kid, algorithm: algorithm.rawValue,
            publicJWK: try pair.publicKey.with(KeyParameters()).json.text,
            createdAt: house.clock.now)
        key.settings.attributes = ["plan", "seats"]
        change(&key)
        #expect(try await house.provider.store.issuerKeys.save(key))
        house.provider.issuerKeys.invalidate()
        return try JOSESigner(
            pair.with(KeyParameters(keyID: kid)), algorithm: algorithm)
    }

    /// A test registration key, made as the Admin API makes it.
    func addTestKey(_ algorithm: JWSAlgorithm = .es256) async throws -> JOSESigner {
        let keys = TestRegistrationKeys(provider, tenant: oauth.tenant, facts: oauth.facts)
        let made = try await keys.make(algorithm, name: "ci", owner: "olga").get()
        let pair = try PrivateJWK(pem: made.pem)
        return try JOSESigner(
            pair.with(KeyParameters(keyID: made.key.kid)), algorithm: algorithm)
    }

    /// The project with other rules. Its tenant is to be used from then on.
    func change(_ change: (inout Project) -> Void) async throws {
        var project = try #require(
            try await provider.store.projects.project(oauth.tenant.project.id))
        change(&project)
        #expect(try await provider.store.projects.save(project))
        provider.tenants.invalidate()
    }

    // MARK: Tokens

    func token(_ subject: String = "anna-7", id: String = UUIDText.make()) -> IssuedToken {
        IssuedToken(
            issuer: Self.issuer, subject: subject, tokenID: id, issuedAt: now,
            expiresAt: now + 3600)
    }

    func testToken(_ subject: String = "suite-1") -> IssuedToken {
        var token = token(subject)
        token.issuer = IssuedToken.testIssuer
        token.audience = IssuedToken.testAudience
        return token
    }

    // MARK: Requests

    func call(
        _ method: HTTPRequest.Method, _ path: String, _ body: JSONValue? = nil,
        token: String? = nil, prefix: String = ""
    ) async throws -> (status: Int, body: JSONObject, headers: HTTPFields) {
        var headers: HTTPFields = [:]
        if body != nil { headers[.contentType] = "application/json" }
        headers[.authorization] = token.map { "Bearer \($0)" }
        let response = try await oauth.send(
            method, prefix + path, headers: headers, body: body?.text ?? "")
        let json = try? JSONParser.parseObject(response.body, maximumBytes: 1_000_000)
        return (response.status.code, json ?? JSONObject(), response.headers)
    }

    func nonce(
        _ method: String = "signedJWT", prefix: String = ""
    ) async throws -> String {
        let answer = try await call(
            .post, "/registration/challenge", ["method": .string(method)], prefix: prefix)
        return try #require(ServerChallenge(answer.body)).nonce
    }

    func signInChallenge() async throws -> ServerChallenge {
        try #require(
            ServerChallenge(
                try await call(.post, "/registration/sign-in/challenge").body))
    }

    func newID() -> Identifier<AppRegistrationRequest> {
        Identifier(now: oauth.clock.now, random: oauth.random)
    }

    /// A registration as an app would send it.
    func request(
        _ method: AppRegistrationMethod = .signedJWT, token: String, key: AppKey? = nil,
        id: Identifier<AppRegistrationRequest>? = nil, nonce: String? = nil
    ) async throws -> AppRegistrationRequest {
        let fresh = if let nonce { nonce } else { try await self.nonce(method.rawValue) }
        var request = AppRegistrationRequest(
            method: method, registrationID: id ?? newID(), nonce: fresh,
            evidence: JSONObject([.init(name: "token", value: .string(token))]),
            name: "Notes on a phone")
        if let key {
            request.key = key.sent
            request.keyProof = try key.proof(fresh)
        }
        return request
    }

    func send(
        _ request: AppRegistrationRequest
    ) async throws -> (status: Int, body: JSONObject, headers: HTTPFields) {
        try await call(.post, "/registration", request.json)
    }

    /// The code with which a registration is refused, or `registered`.
    func outcome(_ request: AppRegistrationRequest) async throws -> String {
        let answer = try await send(request)
        return answer.body["code"]?.string ?? (answer.status == 201 ? "registered" : "repeated")
    }

    /// Registers a person with a token and a key.
    func registered(
        _ key: AppKey, subject: String = "anna-7"
    ) async throws -> AppRegistrationResponse {
        let request = try await request(token: token(subject).signed(by: signer), key: key)
        return try #require(AppRegistrationResponse(try await send(request).body))
    }

    // MARK: Signing in

    func signIn(
        _ assertion: String, scope: String? = nil, client: String = "app",
        headers: HTTPFields = [:]
    ) async throws -> ServerResponse {
        var form = [
            "grant_type": TokenRequest.assertionGrantType, "assertion": assertion,
            "client_id": client,
        ]
        form["scope"] = scope
        return try await oauth.post("/token", form, headers: headers)
    }

    func signIn(
        _ key: AppKey, as userID: String, headers: HTTPFields = [:]
    ) async throws -> JSONObject {
        let challenge = try await signInChallenge()
        let assertion = try SignInToken(
            userID: userID, audience: challenge.audience, nonce: challenge.nonce,
            expiresAt: now + 300
        ).signed(by: key.signer)
        return try oauth.json(try await signIn(assertion, headers: headers))
    }

    func refresh(_ token: String) async throws -> ServerResponse {
        try await oauth.post(
            "/token",
            ["grant_type": "refresh_token", "refresh_token": token, "client_id": "app"])
    }

    func events(_ action: String) async throws -> [AuditEvent] {
        var filter = AuditFilter()
        filter.action = action
        return try await provider.store.auditLog.auditEvents(filter, before: nil, limit: 100)
    }
}

/// The key of one app installation.
struct AppKey {
    let signer: JOSESigner
    let pair: PrivateJWK
    let key: InstallationKey
    /// As the request has it.
    var sent: JSONValue

    init(_ algorithm: JWSAlgorithm = .es256) throws {
        try self.init(PrivateJWK.generate(for: algorithm), algorithm)
    }

    init(_ pair: PrivateJWK, _ algorithm: JWSAlgorithm) throws {
        self.pair = pair
        key = try InstallationKey(pair.publicKey)
        signer = try JOSESigner(pair, algorithm: algorithm)
        sent = pair.publicKey.json
    }

    func proof(_ nonce: String) throws -> String {
        try KeyBinding(nonce: nonce, key: key).proof(signedBy: signer)
    }
}

/// Texts that are never twice the same.
enum UUIDText {
    static func make() -> String { Base64URL.encode(SystemRandomSource().bytes(16)) }
}
