// SPDX-License-Identifier: Apache-2.0
import Crypto
import HTTPServer
import HTTPTypes
import IdentityProvider
import JOSE
import OAuth
import PasswordHashing
import PlatformSSO
import Primitives
import ProtocolEndpoints
import ProviderAdministration
import ProviderCore
import ProviderDevices
import ProviderPeople
import ProviderSupport
import ProviderTokens
import Storage
import Support
import Testing
import WebPages

/// A provider with Platform SSO, asked over its real routes by machines that are made of our own
/// device side. `Tests/EndToEnd/peers/platform_sso/platform_sso.py` is the machine that is not.
struct DeviceHouse {
    static let issuer = TestProvider.issuer
    static let password = "correct horse battery staple"

    let provider: Provider
    let clock = ManualClock()
    let random = SeededRandom(seed: 5)
    private let dispatcher: Dispatcher

    /// Further members of Anna's entry in the state document.
    private let anna: String

    init(
        _ settings: String = "", limits: AttemptLimits = AttemptLimits(), anna: String = "",
        http: any OutgoingHTTP = NoOutgoingHTTP(), store: (any ProviderStore)? = nil,
        pool: HashingPool = HashingPool(threads: 1),
        sign: SetupAssistantRoutes.Signature? = nil
    ) async throws {
        self.anna = anna.isEmpty ? "" : ",\(anna)"
        provider = try await TestProvider.empty(
            store: store, clock: clock, pool: pool, http: http)
        try await ProviderBootstrap.ensureDefaults(provider)
        let web = try WebResources()
        let notices = LocalizedNotificationComposer(web.translations)
        dispatcher = Dispatcher(
            provider: provider,
            groups: [
                OAuthRoutes(provider: provider, translations: web.translations),
                PlatformSSORoutes(provider, limits: limits, notices: notices),
                WebLoginRoutes(provider, notices: notices),
                SetupAssistantRoutes(provider, notices: notices, sign: sign),
            ])
        try await apply(settings)
    }

    /// Applies the settings of `platform_sso`, and two people.
    func apply(_ settings: String, project: String = "default") async throws {
        let people = ["anna", "bea"].map {
            #"{"username":"\#($0)","groups":["staff"],"password":"\#(Self.password)""#
                + ($0 == "anna" ? anna : "") + "}"
        }.joined(separator: ",")
        let more = settings.isEmpty ? "" : ",\(settings)"
        let document = """
            {"projects":[{"name":"\(project)","platform_sso":{"enabled":true\(more)},
            "users":[\(people)]}]}
            """
        let state = try StateParser.parse(
            JSONParser.parse(Array(document.utf8), maximumBytes: 1_000_000))
        _ = try await StateReconciler(provider).apply(state, facts: facts).get()
        provider.tenants.invalidate()
    }

    var facts: RequestMetadata {
        RequestMetadata(now: clock.now, requestID: "r", address: "192.0.2.1")
    }

    func tenant() async throws -> Tenant {
        provider.tenants.invalidate()
        return try #require(try await provider.tenant(named: "default"))
    }

    func person(_ username: String) async throws -> Person {
        try #require(
            try await provider.store.people.person(
                username: username, in: try await tenant().project.id))
    }

    // MARK: Requests

    struct Answer {
        let status: Int
        let headers: HTTPFields
        let body: [UInt8]
        var json: JSONValue { (try? JSONParser.parse(body, maximumBytes: 1_000_000)) ?? .null }
        var error: String? { json["error"]?.string }
    }

    func send(
        _ method: HTTPRequest.Method, _ path: String, type: String? = nil, body: [UInt8] = [],
        bearer: String? = nil, cookie: String? = nil
    ) async throws -> Answer {
        var request = HTTPRequest(
            method: method, scheme: "http", authority: "localhost", path: path)
        request.headerFields[.contentType] = type
        request.headerFields[.authorization] = bearer.map { "Bearer \($0)" }
        request.headerFields[.cookie] = cookie
        let response: ServerResponse
        switch try await dispatcher.destination(for: request, facts: facts, isSecure: false) {
        case .answer(let answer): response = answer
        case .route(let route, var seen):
            seen.body = body
            response = await dispatcher.respond(to: seen, by: route)
        }
        return Answer(
            status: response.status.code, headers: response.headers, body: response.body)
    }

    func form(_ path: String, _ fields: [(name: String, value: String)]) async throws -> Answer {
        try await send(
            .post, path, type: FormParameters.mediaType,
            body: Array(FormEncoding.encode(fields).utf8))
    }

    func nonce(at path: String = "/platform-sso/nonce") async throws -> String {
        let answer = try await form(path, [("grant_type", "srv_challenge")])
        return try #require(answer.json["Nonce"]?.string)
    }

    func post(
        _ message: [UInt8], to path: String = "/platform-sso/token", version: String = "1.0"
    ) async throws -> Answer {
        try await form(
            path,
            [
                ("platform_sso_version", version),
                ("grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer"),
                ("assertion", String(decoding: message, as: UTF8.self)),
            ])
    }

    // MARK: In the browser

    /// Returns the redirect after a person has signed in for the request of `answer`.
    func signIn(
        _ username: String = "anna", for answer: Answer
    ) async throws -> String {
        let location = try #require(answer.headers[.location])
        let handle = try #require(location.split(separator: "continue=").last)
        let tenant = try await tenant()
        let context = CeremonyContext(
            provider: provider, tenant: tenant, facts: facts, writer: SilentWriter())
        let signedIn = try await CeremonyRunner(context).run(
            PasswordSignIn(username: username, password: Secret(Self.password))
        ).get().signedIn
        let step = try await AuthorizationEndpoint(provider).resume(
            handle: String(handle), tenant: tenant, facts: facts, signedIn: signedIn)
        guard case .answer(let response) = step else {
            throw HarnessError("no answer: \(step)")
        }
        return response.location
    }

    // MARK: Tokens of people and administrators

    func registrationToken(
        serial: String? = nil, uses: Int64 = 1, lifetime: TimeSpan = .days(1)
    ) async throws -> String {
        try await RegistrationTokenService(provider).make(
            label: "", serial: serial, uses: uses, lifetime: lifetime,
            in: try await tenant().project.id, now: clock.now
        ).text
    }

    /// Returns an access token of a person who signed in with a browser.
    func accessToken(
        of person: Person, client clientID: String = "platform-sso",
        scope: String = "openid urn:apple:platformsso", contextClass: String? = nil,
        audience: String? = nil
    ) async throws -> String {
        let tenant = try await tenant()
        let client = try #require(
            try await provider.store.clients.client(clientID: clientID, in: tenant.project.id))
        let code = AuthorizationCode(
            hash: random.bytes(32),
            grant: Grant(
                id: Identifier(now: clock.now, random: random), project: tenant.project.id,
                client: client.id, person: person.id, session: nil, scope: scope,
                authenticationMethods: "pwd", authenticatedAt: clock.now, rotatedAt: clock.now,
                createdAt: clock.now, expiresAt: clock.now + .days(1)),
            redirectURI: "http://127.0.0.1/callback", redirectURIWasSent: false,
            codeChallenge: nil, expiresAt: clock.now + .minutes(1))
        try await provider.store.grants.save(code)
        _ = try await provider.store.grants.redeemCode(
            hash: code.hash, generation: 0, now: clock.now)
        var claims = JSONObject([
            .init(name: "acr", value: .string(contextClass ?? ContextClass.password.rawValue))
        ])
        let usual: JSONValue = [
            "iss": .string(tenant.issuer), "sub": .string(person.id.description),
            "aud": .string(audience ?? tenant.issuer), "client_id": .string(clientID),
            "scope": .string(scope), "iat": .integer(clock.now.seconds),
            "exp": .integer(clock.now.seconds + 3600),
            "jti": .string(Base64URL.encode(random.bytes(16))),
            "auth_time": .integer(clock.now.seconds), "gid": .string(code.grant.id.description),
        ]
        for member in usual.object?.members ?? [] { claims[member.name] = member.value }
        let signer = try await provider.keys.signer(for: tenant)
        return String(
            decoding: try signer.sign(payload: claims.bytes, typ: "at+jwt"), as: UTF8.self)
    }
}

/// Nothing is sent here.
struct SilentWriter: NotificationComposer {
    func write(_ notice: AccountNotification) -> (subject: String, text: String) { ("", "") }
}
