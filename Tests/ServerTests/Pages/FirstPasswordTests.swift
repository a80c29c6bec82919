// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import JOSE
import Mail
import Primitives
import ProviderAdministration
import ProviderCore
import Storage
import Support
import Testing

@testable import HTTPServer
@testable import WebPages

/// A password that an administrator has set, up to the one that only the person knows.
@Suite struct FirstPasswordTests {
    private static let first = "handed over on a card"
    private static let own = "correct horse battery staple"

    /// An authorization that asks for a sign-in and answers the client after it.
    private struct Waiting: AuthorizationFlow {
        private func step(_ signedIn: AuthenticatedSession?) -> FlowProgress {
            guard signedIn == nil else {
                return FlowProgress(.answer(.redirect(to: "https://shop.example.com/callback")))
            }
            return FlowProgress(
                .signIn(
                    SignInPrompt(
                        client: ClientDisplayInfo(name: "Shop"), loginHint: nil,
                        redirectOrigin: "https://shop.example.com")))
        }

        func resume(
            _ handle: String, _ request: ServerRequest, _ signedIn: AuthenticatedSession?
        ) async throws -> FlowProgress { step(signedIn) }

        func chooseCurrent(
            _ handle: String, _ request: ServerRequest, _ signedIn: AuthenticatedSession
        ) async throws -> FlowProgress { step(signedIn) }

        func decide(
            _ handle: String, allow: Bool, _ request: ServerRequest,
            _ signedIn: AuthenticatedSession
        ) async throws -> FlowProgress { step(signedIn) }

        func declineStepUp(
            _ handle: String, _ request: ServerRequest, _ signedIn: AuthenticatedSession
        ) async throws -> FlowProgress { step(signedIn) }
    }

    private func facts(_ house: PagesHouse) -> RequestMetadata {
        RequestMetadata(now: house.clock.now, requestID: "r", address: "192.0.2.1")
    }

    /// An owner with a first password.
    private func olga(_ house: PagesHouse) async throws {
        let document: JSONValue = [
            "projects": [
                [
                    "name": "default",
                    "users": [
                        [
                            "username": "olga", "password": .string(Self.first),
                            "password_must_change": true,
                        ]
                    ],
                ]
            ], "administrators": [["username": "olga", "role": "owner"]],
        ]
        _ = try await StateReconciler(house.provider).apply(
            StateParser.parse(document), facts: facts(house)
        ).get()
    }

    private func signIn(
        _ browser: inout Browser, _ password: String = Self.first
    ) async throws -> Answer {
        _ = try await browser.get("/sign-in?continue=h")
        return try await browser.submit(
            "/sign-in", ["username": "olga", "password": password, "continue": "h"])
    }

    private func ticket(_ page: Answer) throws -> String {
        String(
            try #require(page.text.firstMatch(of: #/name="ticket" value="([A-Za-z0-9_-]+)"/#)?.1))
    }

    private func change(
        _ browser: inout Browser, _ ticket: String, to password: String = Self.own
    ) async throws -> Answer {
        try await browser.submit(
            "/first-password",
            ["ticket": ticket, "username": "olga", "password": password, "continue": "h"])
    }

    @Test("Attack 81: a first password opens nothing before it is changed")
    func opensNothing() async throws {
        let house = try await PagesHouse(flow: Waiting())
        try await olga(house)
        var browser = house.browser()
        let page = try await signIn(&browser)
        #expect(page.status == .ok && page.text.contains("Choose a new password"))
        let policy = page.response.headers[.contentSecurityPolicy] ?? ""
        #expect(policy.contains("form-action 'self' https://shop.example.com;"))
        for (path, place) in [
            ("/account", "/sign-in?next=account"), ("/console", "/sign-in?next=console"),
            ("/account/passkey", "/sign-in?next=passkey&again=1"),
        ] {
            #expect(try await browser.get(path).location == place, "\(path)")
        }
        #expect(try await browser.get("/continue?continue=h").location == "/sign-in?continue=h")
        let person = try await house.person("olga")
        let store = house.provider.store
        #expect(try await store.sessions.sessions(of: person.id, now: house.clock.now).isEmpty)
        let ticket = try ticket(page)
        for (wrong, why) in [
            (Self.first, "This is the first password"), ("short", "at least 8 characters"),
        ] {
            _ = try await browser.get("/sign-in?continue=h")
            let answer = try await change(&browser, ticket, to: wrong)
            #expect(answer.status == .unprocessableContent && answer.text.contains(why))
        }
        #expect(try await change(&browser, ticket).location == "/continue?continue=h")
        #expect(
            try await browser.get("/continue?continue=h").location
                == "https://shop.example.com/callback")
        #expect(try await browser.get("/account").status == .ok)
        #expect(try await browser.get("/console").status == .ok)
        #expect(try await signIn(&browser, Self.first).status == .unprocessableContent)
    }

    @Test("Attack 81: the page that replaces a first password works once, for ten minutes")
    func ticket() async throws {
        let house = try await PagesHouse(flow: Waiting())
        try await olga(house)
        var (browser, other) = (house.browser(), house.browser())
        let late = try ticket(try await signIn(&browser))
        house.clock.advance(by: .minutes(10))
        #expect(try await change(&browser, late).status == .unprocessableContent)
        let one = try ticket(try await signIn(&browser))
        let two = try ticket(try await signIn(&other))
        #expect(try await change(&browser, one).status == .seeOther)
        for used in [one, two, "", String(two.dropLast())] {
            let answer = try await change(&other, used, to: Self.own + "!")
            #expect(answer.status == .unprocessableContent)
            #expect(answer.text.contains("action=\"/sign-in\""))
        }
        #expect(try await signIn(&other, Self.own).status == .seeOther)
    }

    @Test("Attack 77: the password that replaces a waiting first password waits too")
    func waits() async throws {
        let house = try await PagesHouse(flow: Waiting())
        try await olga(house)
        let (person, store) = (try await house.person("olga"), house.provider.store)
        var first = try #require(try await store.credentials.credentials(of: person.id).first)
        first.awaitsApproval = true
        _ = try await store.credentials.setPassword(
            first, replacing: .any, keeping: nil, now: house.clock.now)
        var browser = house.browser()
        let ticket = try ticket(try await signIn(&browser))
        #expect(try await change(&browser, ticket).status == .seeOther)
        let own = try await store.credentials.credentials(of: person.id)
        #expect(own.count == 1 && own[0].id != first.id && own[0].awaitsApproval)
    }

    @Test("the page that replaces a first password is drawn", arguments: ["en", "de"])
    func drawn(_ language: String) async throws {
        let house = try await PagesHouse(flow: Waiting())
        try await olga(house)
        var browser = house.browser(language: language)
        let page = try await signIn(&browser)
        let title = language == "en" ? "Choose a new password" : "Wählen Sie ein neues Passwort"
        #expect(page.text.contains("<h1>\(title)</h1>") && !page.text.contains("{{"))
        #expect(page.text.contains("autocomplete=\"new-password\""))
        #expect(!page.text.contains("<script") && !page.text.contains(Self.first))
        #expect(try await browser.get("/first-password").location == "/sign-in")
    }

    @Test("the API sets a first password again, shows that it is one, and the person is told")
    func api() async throws {
        let mailbox = Mailbox()
        let house = try await PagesHouse(mail: mailbox)
        var browser = try await house.registered("olga")
        var person = try await house.person("olga")
        person.claims.email = "olga@example.com"
        person.claims.emailVerified = true
        _ = try await house.provider.store.people.update(person, now: house.clock.now)
        func call(_ method: HTTPRequest.Method, _ body: JSONValue = .null) async throws -> Answer {
            try await browser.send(
                method, "/admin/v1/projects/default/people/olga",
                headers: [
                    .authorization: "Bearer gha_test", .contentType: "application/json",
                ], body: method == .get ? [] : body.bytes)
        }
        let body: JSONValue = ["password": .string(Self.first), "password_must_change": true]
        #expect(try await call(.put, body).text.contains("password_must_change"))
        #expect(try await mailbox.next().to.address == "olga@example.com")
        #expect(try await call(.get).text.contains(#""must_change":true"#))
        // The same once more changes nothing; without the mark it is an ordinary password.
        #expect(try await !call(.put, body).text.contains("password"))
        #expect(try await call(.put, ["password": .string(Self.first)]).text.contains("password"))
        #expect(try await !call(.get).text.contains("must_change"))
        let lacking = try await call(.put, ["password_must_change": true])
        #expect(lacking.status == .unprocessableContent)
    }
}
