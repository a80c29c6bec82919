// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import HTTPServer
import HTTPTypes
import JOSE
import OAuth
import Primitives
import ProviderAdministration
import ProviderCore
import ProviderUpstream
import Storage
import Support
import Testing
import WebPages

/// From an app to the web: what it gives works once, for one person, and leads to one place.
@Suite struct WebHandoffServiceTests {
    private static let target = "https://shop.example.com/account"

    private let house: RegistrationHouse
    private let pages: Dispatcher
    private let key: AppKey
    private let userID: String

    init() async throws {
        house = try await RegistrationHouse()
        pages = Dispatcher(
            provider: house.provider,
            groups: Pages(provider: house.provider, web: try WebResources()).groups)
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
        _ path: String, cookie: String? = nil, site: String? = nil, form: [String: String]? = nil
    ) async throws -> ServerResponse {
        var request = HTTPRequest(
            method: form == nil ? .get : .post, scheme: "http", authority: "localhost", path: path)
        request.headerFields[.cookie] = cookie
        if form != nil {
            request.headerFields[.contentType] = "application/x-www-form-urlencoded"
        }
        if let name = HTTPField.Name("Sec-Fetch-Site") { request.headerFields[name] = site }
        switch try await pages.destination(
            for: request, facts: house.oauth.facts, isSecure: false)
        {
        case .answer(let response): return response
        case .route(let route, var seen):
            let body = (form ?? [:]).map { "\($0)=\($1)" }.joined(separator: "&")
            seen.body = Array(body.utf8)
            return await pages.respond(to: seen, by: route)
        }
    }

    private func cookie(_ name: String, _ response: ServerResponse) -> String? {
        response.headers[values: .setCookie].first { $0.hasPrefix("\(name)=") }
            .map { String($0.prefix { $0 != ";" }) }
    }

    /// The hidden field of that name on a page.
    private func field(_ name: String, _ response: ServerResponse) throws -> String {
        let page = String(decoding: response.body, as: UTF8.self)
        let mark = try #require(page.firstRange(of: "name=\"\(name)\" value=\""))
        return String(page[mark.upperBound...].prefix { $0 != "\"" })
    }

    /// What the reader of the question says to it.
    ///
    /// - Parameter cookie: of another browser than the one that was asked.
    private func say(
        _ word: String?, to page: ServerResponse, cookie other: String? = nil,
        site: String? = "same-origin"
    ) async throws -> ServerResponse {
        var form = [
            "handoff": try field("handoff", page), "form_token": try field("form_token", page),
        ]
        form["decision"] = word
        let own = try #require(cookie("gatehouse-form", page))
        return try await visit("/handoff", cookie: other ?? own, site: site, form: form)
    }

    /// Opens the URL in a browser without a session, whose person confirms.
    private func enter(_ path: String) async throws -> ServerResponse {
        let page = try await visit(path)
        #expect(page.status == .ok && session(page) == nil)
        return try await say("mine", to: page)
    }

    private func session(_ response: ServerResponse) -> String? {
        cookie("gatehouse-session", response)
    }

    @Test("A browser is signed in, as strongly as in the app, and sent on without a trace")
    func enters() async throws {
        let path = try await address(Self.target + "?tab=orders")
        house.oauth.clock.advance(by: .seconds(20))
        let answer = try await enter(path)
        #expect(answer.status == .seeOther)
        #expect(answer.headers[.location] == Self.target + "?tab=orders")
        #expect(answer.headers[.cacheControl] == "no-store")
        let cookie = try #require(session(answer))
        let signedIn = try #require(
            try await SessionService(provider: house.provider).current(
                cookie: String(cookie.drop { $0 != "=" }.dropFirst()),
                tenant: house.oauth.tenant, facts: house.oauth.facts))
        #expect(signedIn.person.id.description == userID)
        let factor = try #require(signedIn.session.factors.first)
        #expect(factor.methods == ["swk", "app"])
        #expect(factor.contextClass == ContextClass.password.rawValue)
        // The key signed without a prompt: the person was not present, however recent it is.
        #expect(factor.at.seconds == house.now - 20 && !factor.isAttended)
        #expect(!signedIn.isFresh(at: house.oauth.clock.now))
        #expect(
            ConsoleAccess(signedIn.session, credentials: [], now: house.oauth.clock.now)
                == .signInAgain)
        #expect(try await house.events("sign-in.web-handoff").first?.person == signedIn.person.id)
    }

    @Test("A PIN that was typed in the app counts as two factors in the browser, too")
    func afterPIN() async throws {
        let device = try await AppDevice.registered(in: house)
        let token = try #require(try await device.signIn("24681").body["access_token"]?.string)
        let body = try await open(Self.target, token: token).body
        let path = String(try #require(body["url"]?.string).dropFirst(OAuthHouse.issuer.count))
        let cookie = try #require(session(try await enter(path)))
        let signedIn = try #require(
            try await SessionService(provider: house.provider).current(
                cookie: String(cookie.drop { $0 != "=" }.dropFirst()),
                tenant: house.oauth.tenant, facts: house.oauth.facts))
        #expect(signedIn.session.factors.map(\.methods) == [["swk", "pin", "mfa", "app"]])
        #expect(AuthenticationAssurance(signedIn.session).meets(.phishingResistant))
    }

    @Test("Attack 72: who lost access to the app's client gets no session; the trail says why")
    func lostAccess() async throws {
        for (access, acr, code, reason) in [
            (#""nobody""#, nil, "client_access", "the client is closed to all people"),
            (nil, "phr", "unmet_authentication_requirements", "required_acr is not reached"),
        ] as [(String?, String?, String, String)] {
            let paths = (try await address(), try await address())
            // One waits for its confirmation.
            let page = try await visit(paths.1)
            try await house.oauth.change(client: "app") {
                $0.metadata.access = access
                $0.metadata.requiredContextClass = acr
            }
            for answer in [try await visit(paths.0), try await say("mine", to: page)] {
                #expect(answer.status == .forbidden && session(answer) == nil)
                let text = String(decoding: answer.body, as: UTF8.self)
                #expect(text.contains("class=\"request\"") && !text.contains("refusal."))
            }
            let events = try await house.events("sign-in.web-handoff").filter { $0.code == code }
            #expect(events.count == 2)
            #expect(events.allSatisfy { $0.clientID == "app" && $0.details.contains(reason) })
            #expect(events.allSatisfy { $0.person?.description == userID })
            try await house.oauth.change(client: "app") {
                $0.metadata.access = nil
                $0.metadata.requiredContextClass = nil
            }
        }
    }

    @Test("It works once, and for a minute")
    func once() async throws {
        let path = try await address()
        #expect(try await enter(path).status == .seeOther)
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

    @Test("A withdrawn hand-off is refused")
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

    @Test(
        "Attack 60: a browser without a session requires a confirmation of the account",
        arguments: [nil, "none", "cross-site", "same-site", "same-origin"])
    func asks(site: String?) async throws {
        let page = try await visit(try await address(), site: site)
        #expect(page.status == .ok && session(page) == nil)
        let text = String(decoding: page.body, as: UTF8.self)
        #expect(text.contains("Is this your account?") && text.contains("Yes, I&#39;m anna-7"))
        #expect(text.contains("shop.example.com"))
        // The page's form leads there, and nowhere else.
        let policy = try #require(page.headers[.contentSecurityPolicy])
        #expect(policy.contains("form-action 'self' https://shop.example.com;"))
        let answer = try await say("mine", to: page)
        #expect(answer.status == .seeOther && session(answer) != nil)
        #expect(answer.headers[.location] == Self.target)
    }

    @Test("Attack 60: nothing but a yes signs in, and a no uses the address up")
    func declines() async throws {
        for word in ["other", "", nil] {
            let path = try await address()
            let page = try await visit(path)
            let answer = try await say(word, to: page)
            #expect(answer.status == .forbidden && session(answer) == nil)
            #expect(String(decoding: answer.body, as: UTF8.self).contains("were not signed in"))
            #expect(session(try await say("mine", to: page)) == nil)
            #expect(try await visit(path).status == .forbidden)
        }
        let events = try await house.events("sign-in.web-handoff")
        #expect(events.count { $0.code == "web_handoff_declined" } == 3)
    }

    @Test("Attack 60: the first browser that opens the address has it; its yes counts nowhere else")
    func boundToBrowser() async throws {
        let path = try await address()
        let page = try await visit(path)
        // Another person with the URL comes too late, and sees no name.
        let late = try await visit(path)
        #expect(late.status == .forbidden)
        #expect(!String(decoding: late.body, as: UTF8.self).contains("anna-7"))
        let stranger = try #require(cookie("gatehouse-form", try await visit("/sign-in")))
        let stolen = try await say("mine", to: page, cookie: stranger)
        #expect(stolen.status != .seeOther && session(stolen) == nil)
        let forged = try await say("mine", to: page, site: "cross-site")
        #expect(forged.status != .seeOther && session(forged) == nil)
        #expect(session(try await say("mine", to: page)) != nil)
        #expect(session(try await say("mine", to: page)) == nil)
    }

    @Test("The confirmation is possible for two minutes, and only while its installation is active")
    func questionEnds() async throws {
        let page = try await visit(try await address())
        house.oauth.clock.advance(by: .seconds(119))
        let other = try await visit(try await address())
        #expect(session(try await say("mine", to: page)) != nil)
        house.oauth.clock.advance(by: .seconds(120))
        #expect(try await say("mine", to: other).status == .forbidden)
        let token = try await token()
        let body = try await open(Self.target, token: token).body
        let path = String(try #require(body["url"]?.string).dropFirst(OAuthHouse.issuer.count))
        let last = try await visit(path)
        _ = try await house.call(.delete, "/registration/installations/current", token: token)
        #expect(session(try await say("mine", to: last)) == nil)
    }

    @Test("Attack 60: who signs in while the question is open is not replaced by it")
    func signedInMeanwhile() async throws {
        let page = try await visit(try await address())
        let anna = try await house.oauth.signIn()
        let own = try #require(cookie("gatehouse-form", page))
        let answer = try await say("mine", to: page, cookie: "\(own); \(anna.cookie)")
        #expect(session(answer) == nil && answer.status != .seeOther)
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
        let shown = [["pwd"], ["swk", "pin"], ["swk", "user", "mfa"], ["fed"]]
        for methods in shown {
            let here = AuthenticatedSession(session: session(methods), person: house.oauth.anna)
            #expect(
                here.isFresh(at: now)
                    && ConsoleAccess(here.session, credentials: [], now: now) == .enough)
            let handed = AuthenticatedSession(
                session: session(methods + ["app"]), person: house.oauth.anna)
            #expect(!handed.isFresh(at: now) && !handed.hasFreshLocalFactor(at: now))
            #expect(ConsoleAccess(handed.session, credentials: [], now: now) == .signInAgain)
        }
    }

    @Test("What it opened ends with the installation")
    func installationRemoved() async throws {
        let token = try await token()
        let body = try await open(Self.target, token: token).body
        let path = String(
            try #require(body["url"]?.string).dropFirst(OAuthHouse.issuer.count))
        let cookie = try #require(session(try await enter(path)))
        let secret = String(cookie.drop { $0 != "=" }.dropFirst())
        func signedIn() async throws -> AuthenticatedSession? {
            try await SessionService(provider: house.provider).current(
                cookie: secret, tenant: house.oauth.tenant, facts: house.oauth.facts)
        }
        #expect(try await signedIn() != nil)
        _ = try await house.call(.delete, "/registration/installations/current", token: token)
        #expect(try await signedIn() == nil)
    }

    @Test("Another person's browser session is not replaced; one's own stays")
    func otherPerson() async throws {
        let anna = try await house.oauth.signIn()
        let path = try await address()
        let refused = try await visit(path, cookie: anna.cookie)
        #expect(refused.status == .forbidden && session(refused) == nil)
        #expect(try await visit(path).status == .forbidden)
        var own = try #require(session(try await enter(try await address())))
        for site in [nil, "none", "cross-site"] {
            let again = try await visit(try await address(), cookie: own, site: site)
            #expect(again.status == .seeOther)
            own = try #require(session(again))
        }
    }
}
