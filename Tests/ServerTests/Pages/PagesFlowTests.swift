// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import HTTPTypes
import JOSE
import Primitives
import ProviderCore
import Storage
import Support
import Testing

@testable import HTTPServer
@testable import WebPages

/// What people do on pages, step by step, without a script.
@Suite struct PagesFlowTests {
    private static let password = "correct horse battery staple"

    private func signIn(
        _ browser: inout Browser, _ username: String = "anna", password: String = Self.password
    ) async throws -> Answer {
        _ = try await browser.get("/sign-in")
        return try await browser.submit(
            "/sign-in", ["username": username, "password": password])
    }

    @Test("a person registers with a password, is offered a passkey, and is signed in")
    func register() async throws {
        let house = try await PagesHouse()
        var browser = house.browser()
        _ = try await browser.get("/register")
        let answer = try await browser.submit(
            "/register", ["username": "Anna", "password": Self.password])
        #expect(answer.location == "/register/passkey")
        #expect(try await browser.get("/register/passkey").status == .ok)
        #expect(try await browser.get("/account").text.contains("anna"))
    }

    @Test("a form that is sent again after a lost response signs its sender in")
    func lostAnswer() async throws {
        let house = try await PagesHouse()
        var first = house.browser()
        let page = try await first.get("/register").text
        let ticket = try #require(
            page.firstMatch(of: #/name="registration" value="([A-Za-z0-9_-]+)"/#)?.1)
        let fields = [
            "username": "Anna", "password": Self.password, "registration": String(ticket),
        ]
        #expect(try await first.submit("/register", fields).location == "/register/passkey")
        // The cookie was lost with the answer.
        var again = house.browser()
        _ = try await again.get("/register")
        #expect(try await again.submit("/register", fields).location == "/register/passkey")
        #expect(try await again.get("/account").text.contains("anna"))
        var thief = house.browser()
        _ = try await thief.get("/register")
        let guessed = try await thief.submit(
            "/register", fields.merging(["password": "wrong guess of it"]) { $1 })
        #expect(guessed.status == .unprocessableContent)
        #expect(guessed.text.contains("The sign-in details are incorrect"))
        #expect(try await thief.get("/account").location == "/sign-in?next=account")
    }

    @Test("what is wrong with a registration is said on the page, and nothing typed is lost")
    func refusedRegistration() async throws {
        let house = try await PagesHouse()
        _ = try await house.registered("anna")
        var browser = house.browser()
        _ = try await browser.get("/register")
        let fields = ["username": "anna", "name": "Another Anna", "password": Self.password]
        let answer = try await browser.submit("/register", fields)
        #expect(answer.status == .unprocessableContent)
        #expect(answer.text.contains("This username is already taken"))
        #expect(answer.text.contains("value=\"Another Anna\""))
        #expect(!answer.text.contains(Self.password))
        #expect(!answer.text.contains("autofocus aria-invalid"))
    }

    @Test("a refused password is the field that the page puts the cursor in")
    func refusedPassword() async throws {
        let house = try await PagesHouse()
        var browser = house.browser()
        _ = try await browser.get("/register")
        let answer = try await browser.submit(
            "/register", ["username": "anna", "password": "short"])
        #expect(answer.status == .unprocessableContent)
        let parts = answer.text.components(separatedBy: "autofocus")
        #expect(parts.count == 2)
        #expect(parts.last?.hasPrefix(" aria-invalid=\"true\" aria-describedby=\"error") == true)
        #expect(parts.first?.contains("id=\"password\"") == true)
    }

    @Test("where registration is closed the page says so and offers no form")
    func closed() async throws {
        var policy = ProjectPolicy()
        policy.selfRegistration = false
        let house = try await PagesHouse(policy: policy)
        var browser = house.browser()
        let page = try await browser.get("/register")
        #expect(page.text.contains("administrator") && !page.text.contains("name=\"password\""))
        #expect(page.text.contains("<h1>Registration is closed</h1>"))
        #expect(page.text.contains("Ask an administrator for an invitation."))
        #expect(!page.text.contains("Create your account"))
        #expect(!(try await browser.get("/sign-in").text.contains("/register")))
    }

    @Test("Attack 39: unknown and known people get the same page, status and headers")
    func enumeration() async throws {
        let house = try await PagesHouse()
        _ = try await house.registered()
        var pages: [String] = []
        var headers: [[String]] = []
        for name in ["anna", "nora"] {
            var browser = house.browser()
            browser.cookies = ["gatehouse-form": Base64URL.encode([UInt8](repeating: 1, count: 16))]
            let answer = try await signIn(&browser, name, password: "wrong guess")
            #expect(answer.status == .unprocessableContent)
            pages.append(answer.text.replacing(name, with: "NAME"))
            headers.append(answer.response.headers.map { "\($0.name): \($0.value)" })
        }
        #expect(pages[0] == pages[1] && headers[0] == headers[1])
    }

    @Test("too many guesses are told when to come back")
    func limited() async throws {
        let house = try await PagesHouse()
        var browser = house.browser()
        for _ in 0..<10 { _ = try await signIn(&browser, "nora", password: "wrong guess") }
        let answer = try await signIn(&browser, "nora", password: "wrong guess")
        #expect(answer.status == .tooManyRequests)
        #expect(answer.response.headers[.retryAfter] == "900")
        #expect(answer.text.contains("Try again in 15 minutes"))
    }

    @Test("a page besides that of the sign-in has the time in its header, too")
    func limitedRecovery() async throws {
        let house = try await PagesHouse(mail: Mailbox())
        var browser = house.browser()
        var answer = try await browser.get("/recover")
        for _ in 0..<10 where answer.status == .ok {
            answer = try await browser.submit("/recover", ["username": "nora"])
        }
        #expect(answer.status == .tooManyRequests)
        #expect(Int(answer.response.headers[.retryAfter] ?? "") ?? 0 > 0)
        #expect(answer.text.contains("Try again in"))
    }

    @Test("pages of an account redirect unauthenticated people to sign in and back")
    func strangers() async throws {
        let house = try await PagesHouse()
        var browser = house.browser()
        #expect(try await browser.get("/account").location == "/sign-in?next=account")
        #expect(try await browser.get("/admin/audit").location == "/sign-in?next=audit")
        _ = try await browser.get("/sign-in")
        for path in ["/account/name", "/account/password", "/account/recovery-codes"] {
            #expect(try await browser.submit(path, [:]).location == "/sign-in?next=account")
        }
    }

    @Test("after five minutes a sensitive change asks for a sign-in first")
    func freshness() async throws {
        let house = try await PagesHouse()
        var browser = try await house.registered()
        house.clock.advance(by: .minutes(6))
        _ = try await browser.get("/account")
        let answer = try await browser.submit("/account/recovery-codes", [:])
        #expect(answer.location == "/sign-in?next=resume&again=1")
        #expect(
            try await browser.get("/account/passkey").location == "/sign-in?next=passkey&again=1")
        let page = try await browser.get("/sign-in?next=account&again=1").text
        #expect(page.contains("Confirm it&#39;s you") && page.contains("value=\"anna\""))
        let done = try await browser.submit(
            "/sign-in", ["username": "anna", "password": Self.password, "next": "account"])
        #expect(done.location == "/account")
        _ = try await browser.get("/account")
        let codes = try await browser.submit("/account/recovery-codes", [:])
        #expect(codes.text.components(separatedBy: "<li><code>").count == 11)
    }

    @Test("the last credential stays, and the page explains it")
    func lastWayIn() async throws {
        let house = try await PagesHouse()
        var browser = try await house.registered()
        let person = try await house.person("anna")
        let id = try #require(
            try await house.provider.store.credentials.credentials(of: person.id).first
        ).id
        _ = try await browser.get("/account")
        let answer = try await browser.submit("/account/credentials/\(id)/remove", [:])
        #expect(answer.status == .unprocessableContent)
        #expect(answer.text.contains("This is your only sign-in method"))
        let nonsense = try await browser.submit("/account/credentials/x/remove", [:])
        #expect(nonsense.status == .unprocessableContent)
    }

    @Test("Attack 38: a self-service form changes no group, mark or project, whatever it sends")
    func massAssignment() async throws {
        let house = try await PagesHouse()
        var browser = try await house.registered()
        _ = try await browser.get("/account")
        _ = try await browser.submit(
            "/account/name",
            [
                "name": "Anna", "groups": "administrators", "email_verified": "true",
                "email": "root@example.com", "project": "qa", "username": "root",
            ])
        let person = try await house.person("anna")
        #expect(person.claims.name == "Anna" && person.claims.groups == nil)
        #expect(
            person.claims.email == nil && person.claims.emailVerified == false
                || person.claims.emailVerified == nil)
    }

    @Test("the audit page is for administrators only")
    func audit() async throws {
        let house = try await PagesHouse()
        var browser = try await house.registered()
        #expect(try await browser.get("/admin/audit").status == .forbidden)
        var person = try await house.person("anna")
        person.claims.groups = ["administrators"]
        _ = try await house.provider.store.people.update(person, now: house.clock.now)
        let page = try await browser.get("/admin/audit?action=registration.&outcome=accepted")
        #expect(page.status == .ok && page.text.contains("registration.password"))
        let none = try await browser.get("/admin/audit?person=nobody")
        #expect(none.text.contains("No events match this filter"))
        let forged = try await browser.get("/admin/audit?before=x%27--&action=%27%20OR%201=1")
        #expect(forged.status == .ok && forged.text.contains("No events match this filter"))
    }

    @Test("the set-up link makes an administrator, once")
    func setUp() async throws {
        let house = try await PagesHouse()
        let (path, token) = try await house.setUp()
        var browser = house.browser()
        #expect(try await browser.get(path).text.contains("becomes an administrator of this site"))
        let answer = try await browser.submit(
            "/register", ["username": "root", "password": Self.password, "setup": token])
        #expect(answer.status == .seeOther)
        #expect(try await browser.get("/admin/audit").status == .ok)
        for page in ["/", "/account"] {
            #expect(try await browser.get(page).text.contains("href=\"/console\""), "\(page)")
        }
        var second = house.browser()
        #expect(try await second.get(path).status == .notFound)
        #expect(try await second.get("/setup?token=x").status == .notFound)
    }

    @Test("where the console demands a key, the set-up page says so and leads to adding it")
    func setUpKey() async throws {
        var policy = ProjectPolicy()
        policy.administratorsNeedKey = .always
        let house = try await PagesHouse(policy: policy)
        let (path, token) = try await house.setUp()
        var browser = house.browser()
        #expect(try await browser.get(path).text.contains("The console requires a passkey"))
        let short = try await browser.submit(
            "/register", ["username": "root", "password": "short", "setup": token])
        #expect(short.text.contains("The console requires a passkey"))
        let answer = try await browser.submit(
            "/register", ["username": "root", "password": Self.password, "setup": token])
        #expect(answer.location == "/register/passkey?next=console")
        let page = try await browser.get("/register/passkey?next=console").text
        #expect(page.contains("<h1>Add a passkey for the console</h1>"))
        #expect(page.contains("data-next=\"console\""))
        #expect(page.contains("href=\"/account\" data-action=\"skip\""))
    }

    @Test("where the console demands no key, the set-up page does not mention one")
    func setUpWithoutKey() async throws {
        let house = try await PagesHouse()
        var browser = house.browser()
        let page = try await browser.get(try await house.setUp().path).text
        #expect(!page.contains("The console requires a passkey"))
        var member = try await house.registered()
        let offer = try await member.get("/register/passkey").text
        #expect(offer.contains("Sign in faster next time"))
    }

    @Test("only people with access see a link to the console")
    func noConsole() async throws {
        let house = try await PagesHouse()
        var browser = try await house.registered()
        for page in ["/", "/account"] {
            #expect(try await !browser.get(page).text.contains("href=\"/console\""), "\(page)")
        }
    }

    @Test("signing out is confirmed first, then the cookie is deleted and invalid")
    func signOut() async throws {
        let house = try await PagesHouse()
        var browser = try await house.registered()
        let kept = browser.cookies
        #expect(try await browser.get("/sign-out").text.contains("data-action=\"sign-out\""))
        #expect(try await browser.get("/account").status == .ok)
        _ = try await browser.get("/sign-out")
        let answer = try await browser.submit("/sign-out", [:])
        #expect(answer.text.contains("You are signed out"))
        #expect(browser.cookies["gatehouse-session"] == nil)
        browser.cookies = kept
        #expect(try await browser.get("/account").status == .seeOther)
    }

    @Test("the footer's switch changes the language and keeps the place")
    func language() async throws {
        let house = try await PagesHouse()
        var browser = house.browser(language: "fr")
        let english = try await browser.get("/sign-in?next=account").text
        #expect(english.contains("<html lang=\"en\">"))
        #expect(english.contains("href=\"/sign-in?next=account&amp;lang=de\""))
        #expect(try await browser.get("/sign-in?lang=de").text.contains("<html lang=\"de\">"))
        #expect(try await browser.get("/register").text.contains("Benutzername"))
        #expect(try await browser.get("/?ui_locales=en").text.contains("<html lang=\"en\">"))
        #expect(try await browser.get("/?lang=xx").text.contains("<html lang=\"de\">"))
    }

    @Test("a person registers with a passkey and signs in with it, over the JSON endpoints")
    func passkey() async throws {
        let house = try await PagesHouse()
        var browser = house.browser()
        let options = try await browser.post(
            json: #"{"username":"anna","name":"Anna"}"#, to: "/webauthn/registration/options")
        let ceremony = try #require(Self.value("ceremony", options))
        let passkey = try SoftwarePasskey(
            origin: PagesHouse.issuer, relyingPartyID: "localhost", random: house.random)
        let body =
            "{\"ceremony\":\"\(ceremony)\",\"credential\":"
            + passkey.registration(challenge: ceremony) + "}"
        let done = try await browser.post(json: body, to: "/webauthn/registration/verify")
        #expect(Self.value("location", done) == "/account")
        #expect(try await browser.get("/account").status == .ok)
        var elsewhere = house.browser()
        let ask = try await elsewhere.post(json: "{}", to: "/webauthn/sign-in/options")
        let challenge = try #require(Self.value("ceremony", ask))
        let answer = try passkey.assertion(
            challenge: challenge, userHandle: try await house.person("anna").id.bytes)
        let signIn = try await elsewhere.post(
            json: "{\"ceremony\":\"\(challenge)\",\"credential\":\(answer)}",
            to: "/webauthn/sign-in/verify")
        #expect(Self.value("location", signIn) == "/account")
        let replay = try await elsewhere.post(
            json: "{\"ceremony\":\"\(challenge)\",\"credential\":\(answer)}",
            to: "/webauthn/sign-in/verify")
        #expect(Self.value("code", replay) == "ceremony_expired")
    }

    @Test(
        "JSON endpoints refuse what is not their JSON",
        arguments: ["", "[]", "{", "null", "{\"a\":1,\"a\":2}"])
    func badJSON(_ body: String) async throws {
        let house = try await PagesHouse()
        var browser = house.browser()
        for path in ["registration/options", "registration/verify", "sign-in/verify"] {
            let answer = try await browser.post(json: body, to: "/webauthn/\(path)")
            #expect(answer.status == .badRequest)
        }
        let deep = String(repeating: "{\"a\":", count: 10_000)
        #expect(
            try await browser.post(json: deep, to: "/webauthn/sign-in/verify").status == .badRequest
        )
        let plain = try await browser.send(
            .post, "/webauthn/sign-in/options", headers: [.contentType: "text/plain"],
            body: Array("{}".utf8))
        #expect(plain.status == .unsupportedMediaType)
    }

    @Test("adding a passkey without a session or with an old one is redirected")
    func additionNeedsSignIn() async throws {
        let house = try await PagesHouse()
        var stranger = house.browser()
        let no = try await stranger.post(json: "{}", to: "/webauthn/registration/options")
        #expect(Self.value("code", no) == "sign_in_needed")
        #expect(Self.value("location", no) == "/sign-in?next=passkey")
        var browser = try await house.registered()
        house.clock.advance(by: .minutes(6))
        let stale = try await browser.post(json: "{}", to: "/webauthn/registration/options")
        #expect(Self.value("code", stale) == "fresh_sign_in_needed")
        #expect(Self.value("location", stale) == "/sign-in?next=passkey&again=1")
    }

    @Test("a form that repeats a field or is no form is refused with a page")
    func badForms() async throws {
        let house = try await PagesHouse()
        var browser = house.browser()
        _ = try await browser.get("/sign-in")
        for (type, body) in [
            (FormParameters.mediaType, "username=a&username=b"),
            (FormParameters.mediaType, "username=%ff"),
            ("application/json", "{}"), (FormParameters.mediaType, "username=%00"),
        ] {
            let answer = try await browser.send(
                .post, "/sign-in",
                headers: [.contentType: type, .accept: "text/html", .secFetchSite: "same-origin"],
                body: Array(body.utf8))
            #expect(answer.status == .badRequest && answer.text.contains("<h1>"))
        }
        #expect(try await browser.get("/sign-in?a=1&a=2").status == .badRequest)
    }

    private static func value(_ name: String, _ answer: Answer) -> String? {
        let object = try? JSONParser.parseObject(answer.response.body, maximumBytes: 65_536)
        return object?[name]?.string
    }
}
