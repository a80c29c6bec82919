// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import HTTPTypes
import JOSE
import OAuth
import Primitives
import ProviderCore
import ProviderTokens
import Storage
import Support
import Testing

/// Who may use which client, and how they must have signed in.
@Suite struct ClientAccessTests {
    private static let nobody = #""nobody""#
    private static let board = #"{"groups":["board"],"users":["bea"]}"#

    private let house: OAuthHouse

    init() async throws { house = try await OAuthHouse() }

    private func restrict(_ access: String?, acr: String? = nil) async throws {
        try await house.change(client: "shop") {
            $0.metadata.access = access
            $0.metadata.requiredContextClass = acr
        }
    }

    private func events(_ action: String) async throws -> [AuditEvent] {
        await house.provider.audit.flush()
        var filter = AuditFilter()
        filter.action = action
        return try await house.provider.store.auditLog.auditEvents(filter, before: nil, limit: 100)
    }

    private func authorize(
        _ person: Person? = nil, _ change: [String: String?] = [:]
    ) async throws -> ServerResponse {
        try await house.get(
            "/authorize", house.request("shop", change),
            cookie: try await house.signIn(person).cookie)
    }

    @Test("Attack 72: who may not use a client gets no code, but a page; the trail says why")
    func authorization() async throws {
        for access in [Self.nobody, Self.board, "{}", "not JSON"] {
            try await restrict(access)
            let answer = try await authorize()
            #expect(answer.headers[.location] == nil, "\(access)")
            #expect(answer.status == .forbidden)
            let page = String(decoding: answer.body, as: UTF8.self)
            #expect(page.contains("client_access") && page.contains("req-1"))
            #expect(!page.contains("board") && !page.contains("bea"))
        }
        let event = try #require(try await events("authorization").first)
        #expect(event.code == "client_access" && event.clientID == "shop")
        #expect(event.person == house.anna.id)
        let reasons = try await events("authorization").map(\.details)
        #expect(reasons.contains { $0.contains("not in the client's access") })
        #expect(reasons.contains { $0.contains("the client is closed to all people") })
        let silent = try OAuthHouse.Answer(try await authorize(nil, ["prompt": "none"]))
        #expect(silent.parameters["error"] == "access_denied")
    }

    @Test(
        "Who may not use a client goes on with another account, whether one is asked for or not",
        arguments: [
            ("select_account", "/choose-account"), ("login", "/sign-in"), (nil, "/continue"),
        ])
    func otherAccount(prompt: String?, page: String) async throws {
        let bea = try await house.addPerson("bea")
        try await restrict(Self.board)
        let anna = try await house.signIn()
        house.clock.advance(by: .seconds(10))
        let asked = try OAuthHouse.Answer(
            try await house.get(
                "/authorize", house.request("shop", ["prompt": prompt]), cookie: anna.cookie,
                headers: [.accept: "text/html"]))
        #expect(asked.address == page)
        var handle = try #require(asked.parameters["continue"])
        let endpoint = AuthorizationEndpoint(house.provider)
        if prompt == "select_account" {
            // The page comes first; a person who keeps the account is refused without a further
            // page.
            guard
                case .interaction(let first) = try await resume(handle, anna.signedIn),
                case .interaction(let chosen) = try await endpoint.chooseCurrent(
                    handle: handle, tenant: house.tenant, facts: house.facts,
                    signedIn: anna.signedIn)
            else {
                Issue.record("no question")
                return
            }
            #expect(first.need == .selectAccount)
            #expect(chosen.need == .otherAccount(because: Self.refusal))
            handle = chosen.handle
        }
        house.clock.advance(by: .seconds(10))
        guard
            case .interaction(let refused) = try await resume(
                handle, try await house.signIn().signedIn),
            case .answer(let answer) = try await resume(
                refused.handle, try await house.signIn(bea).signedIn)
        else {
            Issue.record("no answer")
            return
        }
        #expect(refused.need == .otherAccount(because: Self.refusal))
        #expect(answer["code"] != nil)
        // Anna is in the trail once.
        let codes = try await events("authorization").map { $0.code ?? "" }
        #expect(codes.filter { $0 == "client_access" }.count == 1)
    }

    private static let refusal = Refusal("client_access", "", reason: "")

    private func resume(
        _ handle: String, _ signedIn: AuthenticatedSession
    ) async throws -> AuthorizationStep {
        try await AuthorizationEndpoint(house.provider).resume(
            handle: handle, tenant: house.tenant, facts: house.facts, signedIn: signedIn)
    }

    @Test("Groups, usernames and identifiers admit a person; a name of another realm does not")
    func lets() async throws {
        let bea = try await house.addPerson("bea")
        try await restrict(Self.board)
        #expect(try OAuthHouse.Answer(try await authorize(bea)).parameters["code"] != nil)
        for access in [
            #"{"groups":["staff"]}"#, #"{"users":["ANNA"]}"#,
            #"{"users":["\#(house.anna.id.description)"]}"#, nil,
        ] {
            try await restrict(access)
            #expect(try OAuthHouse.Answer(try await authorize()).parameters["code"] != nil)
        }
        var stranger = Person(
            id: Identifier(now: house.clock.now, random: house.random),
            project: house.tenant.project.id, username: "bea", realm: "idp:acme",
            createdAt: house.clock.now)
        stranger.claims.name = "Another Bea"
        #expect(try await house.provider.store.people.create(stranger, with: []) == .created)
        try await restrict(#"{"users":["bea"]}"#)
        #expect(try await authorize(stranger).status == .forbidden)
    }

    @Test("Attack 72: a code and a refresh token are refused after the person lost access")
    func later() async throws {
        let cookie = try await house.signIn().cookie
        let code = try await house.code(cookie: cookie)
        let tokens = try await house.tokens(cookie: cookie)
        let refresh = try #require(tokens["refresh_token"]?.string)
        let access = try #require(tokens["access_token"]?.string)
        try await restrict(Self.board)
        #expect(try house.error(try await house.redeem(code)) == "invalid_grant")
        #expect(try house.error(try await house.refresh(refresh)) == "invalid_grant")
        // The grant is revoked, and its tokens with it.
        #expect(try await !house.isActive(access))
        try await restrict(nil)
        #expect(try house.error(try await house.refresh(refresh)) == "invalid_grant")
        #expect(
            try await events("token.refresh").contains {
                $0.code == "invalid_grant" && $0.details.contains("not in the client's access")
            })
    }

    @Test("Attack 72: nor does a device get tokens for them, nor another service")
    func otherGrants() async throws {
        try await house.change(client: "shop") {
            $0.metadata.grantTypes.append(TokenRequest.tokenExchangeGrantType)
            $0.metadata.exchangeAudiences = ["ledger"]
        }
        let access = try #require(try await house.tokens()["access_token"]?.string)
        let begun = try house.json(
            try await house.post(
                "/device_authorization", ["scope": "openid"], headers: OAuthHouse.basic("shop")))
        let endpoint = DeviceAuthorizationEndpoint(house.provider)
        let code = try #require(begun["user_code"]?.string)
        let signedIn = try await house.signIn().signedIn
        try await restrict(Self.board)
        let refused = try await endpoint.decide(
            userCode: code, allow: true, tenant: house.tenant, facts: house.facts,
            signedIn: signedIn)
        guard case .failure(let refusal) = refused else {
            Issue.record("allowed")
            return
        }
        #expect(refusal.code == "client_access")
        let exchanged = try await house.post(
            "/token",
            [
                "grant_type": TokenRequest.tokenExchangeGrantType, "audience": "ledger",
                "subject_token": access,
                "subject_token_type": "urn:ietf:params:oauth:token-type:access_token",
            ], headers: OAuthHouse.basic("shop"))
        #expect(try house.error(exchanged) == "invalid_grant")
    }

    @Test("Attack 72: required_acr asks for a key, and holds at every refresh")
    func requiredClass() async throws {
        let tokens = try await house.tokens()
        let refresh = try #require(tokens["refresh_token"]?.string)
        try await restrict(nil, acr: "phr")
        #expect(try house.error(try await house.refresh(refresh)) == "invalid_grant")
        let none = try OAuthHouse.Answer(try await authorize())
        #expect(none.parameters["error"] == "unmet_authentication_requirements")
        let key = try await house.addKey()
        let asked = try OAuthHouse.Answer(try await authorize())
        #expect(asked.address == "/step-up")
        let cookie = try await house.signIn(methods: ["hwk", "user", "mfa"], with: key).cookie
        let strong = try await house.tokens(cookie: cookie)
        #expect(try house.claims(of: strong["id_token"]?.string)["acr"] == "phr")
        let again = try await house.refresh(try #require(strong["refresh_token"]?.string))
        #expect(again.status == .ok)
        // No sign-in reaches an unknown class.
        try await restrict(nil, acr: "urn:nowhere")
        #expect(try house.error(try await house.redeem(try await code(cookie))) == "invalid_grant")
    }

    private func code(_ cookie: String) async throws -> String {
        try await house.code(cookie: cookie)
    }

    @Test("A client without access rules does not read the person")
    func cost() async throws {
        let tokens = try await house.tokens(scope: "openid offline_access")
        let refresh = try #require(tokens["refresh_token"]?.string)
        let cost = try await house.engine.count {
            let status = try await house.refresh(refresh).status
            #expect(status == .ok)
        }
        #expect(cost == CountingEngine.Counts(reads: 0, writes: 1))
    }
}
