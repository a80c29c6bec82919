// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import HTTPTypes
import IdentityProvider
import JOSE
import OAuth
import Primitives
import Server
import Storage
import Support
import Testing

/// From an app to the web: what it gives works once, for one person, and leads to one place.
@Suite struct WebHandoffTests {
    private static let target = "https://shop.example.com/account"

    private let house: RegistrationHouse
    private let pages: Dispatcher
    private let key: AppKey
    private let userID: String

    init() async throws {
        house = try await RegistrationHouse()
        pages = Dispatcher(
            provider: house.provider,
            groups: try Pages(provider: house.provider, web: try WebFolder()).groups)
        try await house.oauth.change(client: "app") { $0.metadata.webHandoffURIs = [Self.target] }
        key = try AppKey()
        userID = try await house.registered(key).userID
    }

    private func token() async throws -> String {
        try #require(try await house.signIn(key, as: userID)["access_token"]?.string)
    }

    private func open(
        _ target: String, token: String?
    ) async throws -> (status: Int, body: JSONObject, headers: HTTPFields) {
        try await house.call(
            .post, "/registration/web-handoff", ["target": .string(target)], token: token)
    }

    private func address(_ target: String = Self.target) async throws -> String {
        let answer = try await open(target, token: try await token())
        #expect(answer.status == 200 && answer.body["expires_in"] == 60)
        let url = try #require(answer.body["url"]?.string)
        return String(url.dropFirst(OAuthHouse.issuer.count))
    }

    private func visit(
        _ path: String, cookie: String? = nil, site: String? = nil
    ) async throws -> ServerResponse {
        var request = HTTPRequest(
            method: .get, scheme: "http", authority: "localhost", path: path)
        request.headerFields[.cookie] = cookie
        if let name = HTTPField.Name("Sec-Fetch-Site") { request.headerFields[name] = site }
        switch try await pages.destination(
            for: request, facts: house.oauth.facts, isSecure: false)
        {
        case .answer(let response): return response
        case .route(let route, let seen): return await pages.respond(to: seen, by: route)
        }
    }

    private func session(_ response: ServerResponse) -> String? {
        response.headers[values: .setCookie].first { $0.hasPrefix("gatehouse-session=") }
            .map { String($0.prefix { $0 != ";" }) }
    }

    @Test("A browser is signed in, as strongly as in the app, and sent on without a trace")
    func enters() async throws {
        let path = try await address(Self.target + "?tab=orders")
        house.oauth.clock.advance(by: .seconds(20))
        let answer = try await visit(path)
        #expect(answer.status == .seeOther)
        #expect(answer.headers[.location] == Self.target + "?tab=orders")
        #expect(answer.headers[.cacheControl] == "no-store")
        let cookie = try #require(session(answer))
        let signedIn = try #require(
            try await SessionCeremony(provider: house.provider).current(
                cookie: String(cookie.drop { $0 != "=" }.dropFirst()),
                tenant: house.oauth.tenant, facts: house.oauth.facts))
        #expect(signedIn.person.id.description == userID)
        let factor = try #require(signedIn.session.factors.first)
        #expect(factor.methods == ["swk", "app"])
        #expect(factor.contextClass == ContextClass.password.rawValue)
        // The key signed unasked: nobody was there, however lately it was.
        #expect(factor.at.seconds == house.now - 20 && !factor.isAttended)
        #expect(!signedIn.isFresh(at: house.oauth.clock.now))
        #expect(
            ConsoleAdmission(signedIn.session, now: house.oauth.clock.now) == .signInAgain)
        #expect(try await house.events("sign-in.web-handoff").first?.person == signedIn.person.id)
    }

    @Test("A PIN that was typed in the app counts as two factors in the browser, too")
    func afterPIN() async throws {
        let device = try await AppDevice.registered(in: house)
        let token = try #require(try await device.signIn("24681").body["access_token"]?.string)
        let body = try await open(Self.target, token: token).body
        let path = String(try #require(body["url"]?.string).dropFirst(OAuthHouse.issuer.count))
        let cookie = try #require(session(try await visit(path)))
        let signedIn = try #require(
            try await SessionCeremony(provider: house.provider).current(
                cookie: String(cookie.drop { $0 != "=" }.dropFirst()),
                tenant: house.oauth.tenant, facts: house.oauth.facts))
        #expect(signedIn.session.factors.map(\.methods) == [["swk", "pin", "mfa", "app"]])
        #expect(AuthenticationStanding(signedIn.session).meets(.phishingResistant))
    }

    @Test("It works once, and for a minute")
    func once() async throws {
        let path = try await address()
        #expect(try await visit(path).status == .seeOther)
        let again = try await visit(path)
        #expect(again.status == .forbidden && session(again) == nil)
        let late = try await address()
        house.oauth.clock.advance(by: .seconds(61))
        #expect(try await visit(late).status == .forbidden)
        for made in ["/handoff", "/handoff?token=", "/handoff?token=abc"] {
            #expect(try await visit(made).status == .forbidden)
        }
    }

    @Test("No address but the registered one is led to")
    func targets() async throws {
        let token = try await token()
        for target in [
            "https://shop.example.com/accounts", "https://shop.example.com/account/",
            "https://shop.example.com/account/../admin", "https://shop.example.com",
            "https://evil.example/account", "https://shop.example.com@evil.example/account",
            "https://shop.example.com/account#x", "http://shop.example.com/account",
            "HTTPS://shop.example.com/account", "javascript:alert(1)", "/account", "",
            "https://shop.example.com/account\r\nX: y", "com.example.app:/callback",
        ] {
            let refused = try await open(target, token: token)
            #expect(refused.status == 403, "\(target)")
            #expect(refused.body["code"] == "web_target_refused")
        }
        let missing = try await house.call(
            .post, "/registration/web-handoff", .object(JSONObject()), token: token)
        #expect(missing.body["code"] == "missing_input")
        #expect(try await open(Self.target, token: nil).status == 401)
        try await house.oauth.change(client: "app") { $0.metadata.webHandoffURIs = [] }
        #expect(try await open(Self.target, token: token).body["code"] == "web_target_refused")
    }

    @Test("What was withdrawn meanwhile lets nobody in")
    func withdrawn() async throws {
        let token = try await token()
        let body = try await open(Self.target, token: token).body
        let path = String(
            try #require(body["url"]?.string).dropFirst(OAuthHouse.issuer.count))
        _ = try await house.call(.delete, "/registration/installations/current", token: token)
        #expect(try await visit(path).status == .forbidden)
        let other = try AppKey()
        let bea = try await house.registered(other, subject: "bea-1").userID
        let beas = try #require(
            try await house.signIn(other, as: bea)["access_token"]?.string)
        let second = try await open(Self.target, token: beas).body
        try await house.oauth.change(client: "app") { $0.metadata.webHandoffURIs = [] }
        let late = String(
            try #require(second["url"]?.string).dropFirst(OAuthHouse.issuer.count))
        #expect(try await visit(late).status == .forbidden)
    }

    @Test("Attack 58: who was sent there by another page is asked whether the account is theirs")
    func sentByAnotherPage() async throws {
        for site in ["cross-site", "same-site"] {
            let path = try await address()
            let asked = try await visit(path, site: site)
            #expect(asked.status == .ok && session(asked) == nil)
            let page = String(decoding: asked.body, as: UTF8.self)
            let token = try #require(path.split(separator: "=").last)
            #expect(page.contains("Sign in as anna-7") && page.contains(token))
            // A click on that page, and nothing else, goes on.
            #expect(session(try await visit(path, site: "same-origin")) != nil)
        }
        #expect(session(try await visit(try await address(), site: "none")) != nil)
        #expect(try await visit("/handoff?token=abc", site: "cross-site").status == .forbidden)
        let own = try #require(session(try await visit(try await address())))
        let again = try await visit(try await address(), cookie: own, site: "cross-site")
        #expect(again.status == .seeOther)
    }

    @Test("Whatever was shown in the app, it opens no console and changes no account")
    func opensNoConsole() {
        let now = house.oauth.clock.now
        func session(_ methods: [String]) -> Session {
            Session(
                id: Identifier(now: now, random: house.oauth.random),
                project: house.oauth.tenant.project.id, person: house.oauth.anna.id,
                secretHash: [], authenticationMethods: methods.joined(separator: " "),
                factors: [AuthenticationFactor(at: now, methods: methods, contextClass: "phr")],
                authenticatedAt: now, lastSeenAt: now, expiresAt: now + .hours(1))
        }
        let shown = [["pwd"], ["swk", "pin"], ["swk", "user", "mfa"], ["fed"], ["otp"]]
        for methods in shown {
            let here = SignedIn(session: session(methods), person: house.oauth.anna)
            #expect(here.isFresh(at: now) && ConsoleAdmission(here.session, now: now) == .enough)
            let handed = SignedIn(session: session(methods + ["app"]), person: house.oauth.anna)
            #expect(!handed.isFresh(at: now) && !handed.hasFreshLocalFactor(at: now))
            #expect(ConsoleAdmission(handed.session, now: now) == .signInAgain)
        }
    }

    @Test("What it opened ends with the installation")
    func installationRemoved() async throws {
        let token = try await token()
        let body = try await open(Self.target, token: token).body
        let path = String(
            try #require(body["url"]?.string).dropFirst(OAuthHouse.issuer.count))
        let cookie = try #require(session(try await visit(path)))
        let secret = String(cookie.drop { $0 != "=" }.dropFirst())
        func signedIn() async throws -> SignedIn? {
            try await SessionCeremony(provider: house.provider).current(
                cookie: secret, tenant: house.oauth.tenant, facts: house.oauth.facts)
        }
        #expect(try await signedIn() != nil)
        _ = try await house.call(.delete, "/registration/installations/current", token: token)
        #expect(try await signedIn() == nil)
    }

    @Test("Somebody else's browser is not taken over; one's own stays one's own")
    func otherPerson() async throws {
        let anna = try await house.oauth.signIn()
        let path = try await address()
        let refused = try await visit(path, cookie: anna.cookie)
        #expect(refused.status == .forbidden && session(refused) == nil)
        #expect(try await visit(path).status == .forbidden)
        let first = try #require(session(try await visit(try await address())))
        let second = try await visit(try await address(), cookie: first)
        #expect(second.status == .seeOther && session(second) != nil)
    }
}
