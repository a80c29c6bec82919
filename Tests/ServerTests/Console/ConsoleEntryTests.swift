// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import JOSE
import Primitives
import ProviderAdministration
import ProviderPeople
import Storage
import Support
import Testing

@testable import AdminConsole
@testable import HTTPServer

/// Who gets into the console, and how recently they must have shown who they are.
@Suite struct ConsoleEntryTests {
    private let people = "/console/projects/default/people"

    @Test("an unauthenticated person is redirected to sign in, and back to the page")
    func stranger() async throws {
        let house = try await ConsoleHouse()
        _ = try await house.administrator(.owner)
        var browser = house.pages.browser()
        let answer = try await browser.get(people)
        #expect(answer.location == "/sign-in?next=console")
        _ = try await browser.get("/sign-in?next=console")
        let signedIn = try await browser.submit(
            "/sign-in",
            ["username": "olga", "password": "correct horse battery staple", "next": "console"])
        #expect(signedIn.location == "/console")
        #expect(try await browser.get("/console").location == people)
        #expect(try await browser.get(people).status == .ok)
        // Once: the first page is the first page again.
        #expect(try await browser.get("/console").status == .ok)
    }

    @Test(
        "a place that is no page of the console is never gone to",
        arguments: [
            "https://evil.example/", "//evil.example/console/", "/console/../account", "/account",
            "/console/x?y", "/console/\r\nSet-Cookie: a=b", "",
        ])
    func places(_ place: String) async throws {
        let house = try await ConsoleHouse()
        var browser = try await house.administrator(.owner)
        browser.cookies["gatehouse-console-place"] = Base64URL.encode(Array(place.utf8))
        let answer = try await browser.get("/console")
        if let location = answer.location {
            #expect(location.hasPrefix("/console/"))
        } else {
            #expect(answer.status == .ok)
        }
    }

    @Test("a person without a role is refused, a member of the old group too")
    func noRole() async throws {
        let house = try await ConsoleHouse()
        var browser = try await house.pages.registered("anna")
        var anna = try await house.pages.person("anna")
        anna.claims.groups = [Administrators.group]
        #expect(try await house.store.people.update(anna, now: house.pages.clock.now))
        for path in ["/console", people, "/console/administrators"] {
            #expect(try await browser.get(path).status == .forbidden)
        }
        _ = try await browser.get("/account")
        let answer = try await browser.submit("/console/create", ["name": "new"])
        #expect(answer.status == .forbidden)
        #expect(try await house.store.projects.project(named: "new") == nil)
    }

    @Test("a revoked role ends with the next request")
    func dismissed() async throws {
        let house = try await ConsoleHouse()
        var browser = try await house.administrator(.support)
        #expect(try await browser.get(people).status == .ok)
        _ = try await house.store.administrators.dismiss(
            administrator: house.pages.person("olga").id, of: nil)
        #expect(try await browser.get(people).status == .forbidden)
    }

    @Test("a password alone opens the console for half an hour")
    func recency() async throws {
        let house = try await ConsoleHouse()
        var browser = try await house.administrator(.owner)
        house.pages.clock.advance(by: .minutes(30))
        #expect(try await browser.get(people).status == .ok)
        house.pages.clock.advance(by: .seconds(1))
        let late = try await browser.get(people)
        #expect(late.location == "/sign-in?next=console&again=1")
        #expect(try await browser.get("/console").location == "/sign-in?next=console&again=1")
    }

    @Test("a key that is bound to our address opens it for as long as the session lasts")
    func strength() async throws {
        let now = Timestamp(seconds: 1_800_000_000)
        func admission(
            _ methods: [String], age: TimeSpan, isHere: Bool = true
        ) -> ConsoleAccess {
            let credential = Credential(
                id: Identifier(now: now, random: SystemRandomSource()),
                project: Identifier(now: now, random: SystemRandomSource()),
                person: Identifier(now: now, random: SystemRandomSource()),
                kind: methods.contains { AuthenticationFactor.keyMethods.contains($0) } && isHere
                    ? .publicKey : .password,
                externalID: [], createdAt: now)
            let factor = AuthenticationFactor(
                at: now, methods: methods, contextClass: "",
                credential: isHere ? credential.id : nil)
            let session = Session(
                id: Identifier(now: now, random: SystemRandomSource()),
                project: Identifier(now: now, random: SystemRandomSource()),
                person: Identifier(now: now, random: SystemRandomSource()), secretHash: [],
                authenticationMethods: methods.joined(separator: " "),
                factors: [factor],
                authenticatedAt: now, lastSeenAt: now, expiresAt: now + .hours(12))
            return ConsoleAccess(session, credentials: [credential], now: now + age)
        }
        #expect(admission(["hwk", "user"], age: .hours(8)) == .enough)
        #expect(admission(["swk", "user"], age: .hours(8)) == .enough)
        // An app's key, which a hand-off states, is not bound to the provider's origin.
        #expect(admission(["swk", "pin"], age: .hours(8), isHere: false) == .signInAgain)
        #expect(admission(["pwd"], age: .minutes(30)) == .enough)
        #expect(admission(["pwd"], age: .minutes(31)) == .signInAgain)
        #expect(admission(["otp"], age: .hours(8), isHere: false) == .approvalNeeded)
        #expect(admission([], age: .hours(8)) == .signInAgain)
    }

    @Test("what cannot be undone needs a sign-in of the last five minutes")
    func freshness() async throws {
        let house = try await ConsoleHouse()
        try await house.person("bea")
        var browser = try await house.administrator(.owner)
        house.pages.clock.advance(by: .minutes(6))
        let page = try await browser.get(people + "/bea/remove")
        #expect(page.status == .ok)
        let answer = try await browser.submit(
            people + "/bea/remove", ["seal": try house.seal(page), "confirmation": "bea"])
        #expect(answer.location == "/sign-in?next=resume&again=1")
        for path in [
            people + "/bea/re-registration", "/console/administrators/grant",
            "/console/projects/default/test-keys/create",
            "/console/projects/default/keys/rotate",
        ] {
            #expect(
                try await browser.submit(path, [:]).location == "/sign-in?next=resume&again=1")
        }
        #expect(try await house.store.people.person(username: "bea", in: house.home.id) != nil)
        // What can be undone does not.
        #expect(
            try await browser.submit(people + "/bea/disable", [:]).location?
                .hasSuffix("done=disabled") == true)
    }

    @Test("after a forced sign-in every form leads to a page, a removal to its confirmation")
    func landings() async throws {
        let house = try await ConsoleHouse()
        var browser = try await house.administrator(.owner)
        // Beyond the half hour of a password: forms that are not grave ask for a sign-in too.
        house.pages.clock.advance(by: .minutes(31))
        let routes = house.pages.dispatcher.routes
        let forms = house.pages.console.routes().filter { $0.method == .post }
        #expect(forms.count > 60)
        for form in forms {
            let path = form.pattern.replacing("{project}", with: "default")
                .replacing(/\{[a-z]+\}/, with: "x")
            browser.cookies["gatehouse-console-place"] = nil
            let answer = try await browser.submit(path, [:])
            #expect(answer.location == "/sign-in?next=resume&again=1", "\(path)")
            guard let cookie = browser.cookies["gatehouse-console-place"] else {
                // The default page without another target.
                #expect(path == "/console/create")
                continue
            }
            let bytes = try #require(Base64URL.decode(cookie))
            let place = String(decoding: bytes, as: UTF8.self)
            guard case .found(let page, _) = routes.match(.get, path: place) else {
                Issue.record("\(path) leads to \(place), where no page is")
                continue
            }
            let hasOwnPage = house.pages.console.routes().contains {
                $0.method == .get && $0.pattern == form.pattern
            }
            let asks = ["remove", "revoke", "retire", "sweep"].contains {
                path.hasSuffix("/\($0)") && hasOwnPage
            }
            #expect(!asks || page.pattern == form.pattern, "\(path)")
        }
    }

    @Test("an issuer's key whose removal asked for a sign-in is removed after it")
    func backToRemoval() async throws {
        let house = try await ConsoleHouse()
        var browser = try await house.administrator(.owner)
        let root = "/console/projects/default/issuer-keys"
        _ = try await browser.get(root)
        let key = try PrivateJWK.generate(for: .es256).publicKey.json.text
        _ = try await browser.submit(
            root + "/create", ["issuer": "idp", "kid": "k1", "alg": "ES256", "public_key": key])
        let keys = try await house.store.issuerKeys.issuerKeys(of: house.home.id, kind: .federation)
        let path = "\(root)/\(try #require(keys.first).id)/remove"
        house.pages.clock.advance(by: .minutes(6))
        #expect(try await browser.submit(path, [:]).location == "/sign-in?next=resume&again=1")
        // It can be restored, so it requires no recent sign-in.
        let again = try await browser.signInAgain("olga")
        let removed = try await browser.sendOn(again)
        #expect(removed.location == root + "?done=issuerKey")
        #expect(
            try await house.store.issuerKeys.issuerKeys(of: house.home.id, kind: .federation)
                .isEmpty)
    }

    @Test("the console is the home project's; under another project there is none")
    func otherTenant() async throws {
        let house = try await ConsoleHouse()
        var browser = try await house.administrator(.owner)
        for path in ["/p/qa/console", "/p/qa/console/projects/qa/people"] {
            #expect(try await browser.get(path).status == .notFound)
        }
    }

    @Test("forms of another site, and forms without their token, change nothing")
    func forged() async throws {
        let house = try await ConsoleHouse()
        let bea = try await house.person("bea")
        var browser = try await house.administrator(.owner)
        _ = try await browser.get(people + "/bea")
        for token in ["", "x", String(browser.formToken.dropLast())] {
            let answer = try await browser.submit(
                people + "/bea/disable", ["form_token": token])
            #expect(answer.status == .forbidden)
        }
        browser.fetchSite = "cross-site"
        for path in [
            people + "/bea/disable", people + "/bea/remove", "/console/create",
            "/console/administrators/grant", "/console/projects/default/settings/theme",
        ] {
            #expect(try await browser.submit(path, ["name": "new"]).status == .forbidden)
        }
        #expect(try await house.store.people.person(bea.id)?.disabled == false)
        #expect(try await house.store.projects.project(named: "new") == nil)
    }

    @Test("the person of the setup link is an owner")
    func setUp() async throws {
        let house = try await ConsoleHouse()
        let (path, token) = try await house.pages.setUp()
        var browser = house.pages.browser()
        _ = try await browser.get(path)
        _ = try await browser.submit(
            "/register",
            [
                "username": "olga", "name": "Olga", "email": "", "setup": token,
                "password": "correct horse battery staple",
            ])
        let roles = try await house.store.administrators.administration(
            of: house.pages.person("olga").id)
        #expect(roles.map(\.role) == [.owner] && roles.first?.project == nil)
        #expect(try await browser.get("/console").status == .ok)
    }
}
