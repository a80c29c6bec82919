// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import HTTPTypes
import IdentityProvider
import JOSE
import OAuth
import Primitives
import ProtocolEndpoints
import ProviderCore
import ProviderSupport
import ProviderTokens
import Storage
import StorageSQL
import StorageSQLite
import Support
import Testing
import WebPages

/// A provider with two clients and a person, asked over its real routes.
struct OAuthHouse {
    static let issuer = TestProvider.issuer
    static let redirectURI = "https://shop.example.com/callback"
    static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"

    let provider: Provider
    let dispatcher: Dispatcher
    let clock: ManualClock
    let log = CapturedLog()
    let random: SeededRandom
    let engine: CountingEngine
    let tenant: Tenant
    let anna: Person
    /// The key of the client.
    var prover: ProofMaker
    /// Whether it is proven wherever tokens are asked for.
    let provesKeys: Bool
    /// Kept as long as the store in it.
    private let folder = TestFolder()

    init(http: any OutgoingHTTP = NoOutgoingHTTP(), provesKeys: Bool = false) async throws {
        clock = ManualClock()
        prover = try ProofMaker()
        self.provesKeys = provesKeys
        random = SeededRandom(seed: 11)
        try await TemplateDatabase.copy(to: folder.path("store.sqlite"))
        engine = CountingEngine(
            try SQLiteEngine.passing(path: folder.path("store.sqlite")))
        let store = SQLStore(engine: engine, archives: SQLiteArchive())
        _ = try await store.maintenance.migrate()
        provider = try await TestProvider.empty(
            store: store, clock: clock, random: random, http: http, log: log.logger)
        try await ProviderBootstrap.ensureDefaults(provider)
        tenant = try #require(try await provider.tenant(named: "default"))
        dispatcher = Dispatcher(
            provider: provider,
            groups: [
                OAuthRoutes(provider: provider, translations: try WebResources().translations),
                RegistrationRoutes(
                    provider,
                    notices: LocalizedNotificationComposer(try WebResources().translations)),
                EntitlementRoutes(
                    provider,
                    notices: LocalizedNotificationComposer(try WebResources().translations)),
            ])
        anna = try await Self.makePerson(
            "anna", in: tenant, provider: provider, clock: clock, random: random)
        try await addClient("shop")
        try await addClient("wiki")
    }

    // MARK: What lives in it

    /// A confidential first-party client with the secret `secret of ID`.
    @discardableResult
    func addClient(
        _ clientID: String, in other: Tenant? = nil,
        _ change: (inout Client) -> Void = { _ in }
    ) async throws -> Client {
        var client = Client(
            id: Identifier(now: clock.now, random: random),
            project: (other ?? tenant).project.id, clientID: clientID, metadata: ClientMetadata(),
            secretHash: provider.secrets.hash(Self.secret(of: clientID).utf8, for: .clientSecret),
            createdAt: clock.now)
        client.metadata.clientName = "The \(clientID)"
        client.metadata.grantTypes = [
            "authorization_code", "refresh_token", "client_credentials",
            TokenRequest.deviceCodeGrantType,
        ]
        client.metadata.redirectURIs = [Self.redirectURI]
        client.metadata.postLogoutRedirectURIs = ["https://shop.example.com/bye"]
        client.metadata.scope =
            "openid profile email phone address groups offline_access orders:read orders:write"
        client.metadata.firstParty = true
        // RSA keys take long to make.
        client.metadata.idTokenSignedResponseAlg = "ES256"
        change(&client)
        #expect(try await provider.store.clients.save(client, now: clock.now))
        provider.clients.invalidate()
        return client
    }

    func change(client clientID: String, _ change: (inout Client) -> Void) async throws {
        var client = try #require(
            try await provider.store.clients.client(clientID: clientID, in: tenant.project.id))
        change(&client)
        #expect(try await provider.store.clients.save(client, now: clock.now))
        provider.clients.invalidate()
    }

    static func secret(of clientID: String) -> String { "secret of \(clientID)" }

    private static func makePerson(
        _ username: String, in tenant: Tenant, provider: Provider, clock: ManualClock,
        random: SeededRandom
    ) async throws -> Person {
        var claims = PersonClaims()
        claims.name = "Anna Johnson"
        claims.givenName = "Anna"
        claims.familyName = "Johnson"
        claims.email = "anna@example.com"
        claims.emailVerified = true
        claims.phoneNumber = "+49 30 1234567"
        claims.address = "Unter den Linden 1\n10117 Berlin"
        claims.groups = ["staff"]
        let person = Person(
            id: Identifier(now: clock.now, random: random), project: tenant.project.id,
            username: username, claims: claims, createdAt: clock.now)
        #expect(try await provider.store.people.create(person, with: []) == .created)
        return person
    }

    func addPerson(_ username: String) async throws -> Person {
        try await Self.makePerson(
            username, in: tenant, provider: provider, clock: clock, random: random)
    }

    /// Inserts a security key of a person, as its registration would.
    @discardableResult
    func addKey(
        of person: Person? = nil, trust: String = "none", backupEligible: Bool = false
    ) async throws -> Credential {
        let key = Credential(
            id: Identifier(now: clock.now, random: random), project: tenant.project.id,
            person: (person ?? anna).id, kind: .publicKey, externalID: random.bytes(32),
            publicPart: random.bytes(77),
            details: #"{"transports":["usb"],"attachment":"cross-platform","trust":"\#(trust)","#
                + #""backup_eligible":\#(backupEligible)}"#,
            createdAt: clock.now)
        #expect(try await provider.store.credentials.add(key))
        return key
    }

    func change(_ rules: (inout WebAuthnPolicy) -> Void) async throws -> Tenant {
        var project = tenant.project
        rules(&project.policy.webauthn)
        #expect(try await provider.store.projects.save(project))
        provider.tenants.invalidate()
        return Tenant(project: project, issuer: Self.issuer)
    }

    func addProject(_ name: String) async throws -> Tenant {
        let project = Project(
            id: Identifier(now: clock.now, random: random), name: name, environment: .development,
            createdAt: clock.now)
        #expect(try await provider.store.projects.save(project))
        return Tenant(project: project, issuer: Self.issuer)
    }

    var facts: RequestMetadata {
        RequestMetadata(now: clock.now, requestID: "req-1", address: "192.0.2.1")
    }

    /// Returns the cookie header of the browser of a newly signed-in person.
    func signIn(
        _ person: Person? = nil, methods: [String] = ["pwd"], context: String? = nil,
        with key: Credential? = nil, replacing: AuthenticatedSession? = nil
    ) async throws -> (cookie: String, signedIn: AuthenticatedSession) {
        let isKey = methods.contains { ["hwk", "swk"].contains($0) }
        let factor = AuthenticationFactor(
            at: clock.now, methods: methods,
            contextClass: context ?? (isKey ? "phr" : "urn:gatehouse:acr:password"),
            credential: key?.id)
        let (signedIn, value) = try await SessionService(provider: provider).start(
            person: person ?? anna, factor: factor, tenant: tenant, facts: facts,
            replacing: replacing?.session)
        return ("gatehouse-session=\(value)", signedIn)
    }

    // MARK: Requests

    func send(
        _ method: HTTPRequest.Method, _ path: String, headers: HTTPFields = [:],
        body: String = ""
    ) async throws -> ServerResponse {
        var request = HTTPRequest(
            method: method, scheme: "http", authority: "localhost", path: path)
        request.headerFields = try prover.complete(
            headers, method, path, now: clock.now, asking: provesKeys)
        switch try await dispatcher.destination(for: request, facts: facts, isSecure: false) {
        case .answer(let response): return response
        case .route(let route, var seen):
            seen.body = Array(body.utf8)
            return await dispatcher.respond(to: seen, by: route)
        }
    }

    func get(
        _ path: String, _ query: [String: String] = [:], cookie: String? = nil,
        headers: HTTPFields = [:]
    ) async throws -> ServerResponse {
        var headers = headers
        headers[.cookie] = cookie
        return try await send(
            .get, query.isEmpty ? path : path + "?" + Self.encode(query), headers: headers)
    }

    func post(
        _ path: String, _ form: [String: String], cookie: String? = nil,
        headers: HTTPFields = [:]
    ) async throws -> ServerResponse {
        var headers = headers
        headers[.cookie] = cookie
        headers[.contentType] = FormParameters.mediaType
        return try await send(.post, path, headers: headers, body: Self.encode(form))
    }

    static func encode(_ form: [String: String]) -> String {
        FormEncoding.encode(form.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) })
    }

    static func basic(_ clientID: String, _ secret: String? = nil) -> HTTPFields {
        let id = FormEncoding.encode(clientID)
        let secret = FormEncoding.encode(secret ?? self.secret(of: clientID))
        return [.authorization: "Basic " + Base64.encode(Array("\(id):\(secret)".utf8))]
    }

    // MARK: Flows

    /// A well-formed authorization request of `clientID`.
    func request(
        _ clientID: String = "shop", _ change: [String: String?] = [:]
    ) -> [String: String] {
        var parameters = [
            "response_type": "code", "client_id": clientID, "redirect_uri": Self.redirectURI,
            "scope": "openid profile", "state": "af0ifjsldkj", "nonce": "n-0S6_WzA2Mj",
            "code_challenge": CodeChallenge.s256(of: Self.verifier),
            "code_challenge_method": "S256",
        ]
        for (name, value) in change { parameters[name] = value }
        return parameters
    }

    /// Returns a code for the person of the cookie.
    func code(
        _ clientID: String = "shop", cookie: String, _ change: [String: String?] = [:]
    ) async throws -> String {
        let response = try await get("/authorize", request(clientID, change), cookie: cookie)
        return try #require(try Answer(response).parameters["code"])
    }

    func redeem(
        _ code: String, by clientID: String = "shop", _ change: [String: String?] = [:]
    ) async throws -> ServerResponse {
        var form = [
            "grant_type": "authorization_code", "code": code, "redirect_uri": Self.redirectURI,
            "code_verifier": Self.verifier,
        ]
        for (name, value) in change { form[name] = value }
        return try await post("/token", form, headers: Self.basic(clientID))
    }

    /// The whole flow.
    func tokens(
        _ clientID: String = "shop", scope: String = "openid profile offline_access",
        cookie: String? = nil, with change: [String: String?] = [:]
    ) async throws -> JSONObject {
        var changes = change
        changes["scope"] = scope
        let signedInCookie = if let cookie { cookie } else { try await signIn().cookie }
        let code = try await code(clientID, cookie: signedInCookie, changes)
        return try json(try await redeem(code, by: clientID))
    }

    func refresh(
        _ token: String, by clientID: String = "shop", scope: String? = nil
    ) async throws -> ServerResponse {
        var form = ["grant_type": "refresh_token", "refresh_token": token]
        form["scope"] = scope
        return try await post("/token", form, headers: Self.basic(clientID))
    }

    func introspect(_ token: String, by clientID: String = "shop") async throws -> JSONObject {
        try json(
            try await post("/introspect", ["token": token], headers: Self.basic(clientID)))
    }

    func isActive(_ token: String, for clientID: String = "shop") async throws -> Bool {
        try await introspect(token, by: clientID)["active"]?.bool == true
    }

    func userInfo(_ accessToken: String) async throws -> ServerResponse {
        try await get("/userinfo", headers: [.authorization: "Bearer \(accessToken)"])
    }

    // MARK: Answers

    func json(
        _ response: ServerResponse, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> JSONObject {
        try #require(
            try? JSONParser.parseObject(response.body, maximumBytes: 65_536),
            sourceLocation: sourceLocation)
    }

    func error(_ response: ServerResponse) throws -> String? {
        try json(response)["error"]?.string
    }

    func claims(of jwt: String?) throws -> JSONObject {
        let parts = try #require(jwt).split(separator: ".")
        let payload = try #require(Base64URL.decode(parts[1]))
        return try JSONParser.parseObject(payload, maximumBytes: 65_536)
    }

    /// What an authorization response says, wherever it says it.
    struct Answer {
        let address: String
        let parameters: [String: String]

        init(_ response: ServerResponse, separator: Character = "?") throws {
            let location = try #require(response.headers[.location])
            let parts = location.split(separator: separator, maxSplits: 1)
            address = String(parts[0])
            parameters =
                parts.count > 1 ? try FormParameters(Array(parts[1].utf8)).values : [:]
        }
    }
}
