// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import JOSE
import Primitives
import ProviderAdministration
import ProviderCore
import ProviderSettings
import Storage
import Support
import Testing

@testable import HTTPServer
@testable import WebPages

/// Attacks that must not sign a person in.
@Suite struct UpstreamAttackTests {
    private func refusal(
        _ house: UpstreamHouse, _ answer: Answer, _ browser: Browser,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        #expect(answer.status == .unprocessableContent, sourceLocation: sourceLocation)
        let signedIn = try await house.signedIn(browser)
        #expect(signedIn == nil, sourceLocation: sourceLocation)
        let people = try await house.store.people.people(
            of: house.pages.project.id, after: nil, limit: 9)
        #expect(people.isEmpty, sourceLocation: sourceLocation)
    }

    @Test(
        "An ID token for another audience, time or attempt is refused",
        arguments: [
            ("another issuer", ["iss": "https://evil.example"]),
            ("another client", ["aud": "shop"]),
            ("no audience", ["aud": .null]),
            ("another party", ["azp": "shop"]),
            ("several audiences and no party", ["aud": ["gatehouse", "shop"]]),
            ("expired", ["exp": 1_799_990_000]),
            ("from the future", ["iat": 1_800_009_000]),
            ("made long ago", ["iat": 1_799_990_000]),
            ("without iat", ["iat": .null]),
            ("another nonce", ["nonce": "n-0S6_WzA2Mj"]),
            ("no nonce", ["nonce": .null]),
            ("no subject", ["sub": .null]),
            ("an empty subject", ["sub": ""]),
            ("another access token", ["at_hash": "77QmUPtjPfzWtF2AnpK9RQ"]),
        ] as [(String, [String: JSONValue])])
    func idTokens(_ name: String, _ claims: [String: JSONValue]) async throws {
        let house = try await UpstreamHouse()
        house.acme.change { $0.claims = claims }
        var browser = house.pages.browser()
        try await refusal(house, try await house.signIn(&browser), browser)
    }

    @Test("An ID token under a key that is not published, or of another type, or absent: refused")
    func keys() async throws {
        let house = try await UpstreamHouse()
        for change: @Sendable (inout UpstreamStub.Behaviour) -> Void in [
            { $0.signs = 1 }, { $0.type = "at+jwt" }, { $0.leavesOutIDToken = true },
            { $0.tokenType = "mac" },
            { $0.answers["/token"] = UpstreamStub.json(["error": "invalid_grant"], status: 400) },
            { $0.answers["/token"] = OutgoingResponse(status: 200, body: Array("<html>".utf8)) },
            { $0.answers["/userinfo"] = OutgoingResponse(status: 403) },
            { $0.userInfo["sub"] = "somebody-else" },
        ] {
            house.acme.change {
                $0 = UpstreamStub.Behaviour()
                change(&$0)
            }
            var browser = house.pages.browser()
            try await refusal(house, try await house.signIn(&browser), browser)
        }
    }

    @Test(
        "A discovery document of another issuer, or with foreign endpoints, is refused",
        arguments: [
            ["issuer": "https://evil.example"], ["issuer": .null], ["token_endpoint": .null],
            ["token_endpoint": "http://acme.example/token"],
            ["jwks_uri": "http://169.254.169.254/latest"],
            ["authorization_endpoint": "javascript:x"],
            ["jwks_uri": 5],
        ] as [[String: JSONValue]])
    func discovery(_ metadata: [String: JSONValue]) async throws {
        let house = try await UpstreamHouse()
        house.acme.change { $0.metadata = metadata }
        var browser = house.pages.browser()
        let answer = try await browser.get("/sign-in/with/acme")
        #expect(answer.status == .unprocessableContent && answer.location == nil)
        // After the correction, it is read again.
        house.acme.change { $0.metadata = [:] }
        #expect(try await browser.get("/sign-in/with/acme").status == .seeOther)
    }

    @Test("Attack 32: what came back lets in once, and only the browser that left")
    func browserBound() async throws {
        let house = try await UpstreamHouse()
        var browser = house.pages.browser()
        let location = try await house.leave(&browser)
        let back = UpstreamHouse.path(try house.acme.authorize(location))
        var thief = house.pages.browser()
        _ = try await thief.get("/sign-in")
        try await refusal(house, try await thief.get(back), thief)
        var again = browser
        #expect(try await browser.get(back).status == .seeOther)
        #expect(!browser.cookies.keys.contains { $0.hasPrefix("gatehouse-departure") })
        again.cookies["gatehouse-session"] = nil
        let replayed = try await again.get(back)
        #expect(replayed.status == .unprocessableContent)
        #expect(try await house.signedIn(again) == nil)
    }

    @Test("Attack 32: an attempt that took too long, or was not started here, is refused")
    func forgotten() async throws {
        let house = try await UpstreamHouse()
        var browser = house.pages.browser()
        let back = UpstreamHouse.path(
            try house.acme.authorize(try await house.leave(&browser)))
        house.pages.clock.advance(by: .minutes(11))
        try await refusal(house, try await browser.get(back), browser)
        for query in ["", "?code=x", "?code=x&state=y", "?state=y&error=access_denied"] {
            let answer = try await browser.get("/sign-in/with/acme/callback\(query)")
            try await refusal(house, answer, browser)
        }
    }

    @Test("Mix-up: an answer that names another issuer, or none where all do, is refused")
    func mixUp() async throws {
        let house = try await UpstreamHouse()
        for extra in [[:], ["iss": "https://evil.example"], ["iss": UpstreamStub.issuer + "/"]] {
            var browser = house.pages.browser()
            let location = try await house.leave(&browser)
            let back = try house.acme.authorize(location, adding: extra)
            try await refusal(house, try await browser.get(UpstreamHouse.path(back)), browser)
        }
        #expect(!house.acme.asked.contains("/token"))
        // Where it is not announced it may be absent, and must be right when it is there.
        house.acme.change {
            $0.metadata["authorization_response_iss_parameter_supported"] = .null
        }
        house.pages.clock.advance(by: .minutes(11))
        var browser = house.pages.browser()
        var back = try house.acme.authorize(
            try await house.leave(&browser), adding: ["iss": "https://evil.example"])
        try await refusal(house, try await browser.get(UpstreamHouse.path(back)), browser)
        back = try house.acme.authorize(try await house.leave(&browser), adding: [:])
        #expect(try await browser.get(UpstreamHouse.path(back)).status == .seeOther)
    }

    @Test("Mix-up: an answer at another provider's address is refused")
    func otherAddress() async throws {
        let house = try await UpstreamHouse()
        try await house.put(identifier: "evil")
        var browser = house.pages.browser()
        let back = UpstreamHouse.path(
            try house.acme.authorize(try await house.leave(&browser)))
        let elsewhere = back.replacing("with/acme/", with: "with/evil/")
        try await refusal(house, try await browser.get(elsewhere), browser)
        #expect(!house.acme.asked.contains("/token"))
    }

    @Test("Cut and paste: a code of another attempt is worth nothing in this one")
    func injection() async throws {
        let house = try await UpstreamHouse()
        var thief = house.pages.browser()
        let stolen = try house.acme.authorize(try await house.leave(&thief))
        let code = try #require(
            try FormParameters(Array(stolen.split(separator: "?")[1].utf8)).values["code"])
        var browser = house.pages.browser()
        let own = try house.acme.authorize(try await house.leave(&browser))
        let query = try FormParameters(Array(own.split(separator: "?")[1].utf8)).values
        let pasted =
            "/sign-in/with/acme/callback?iss=\(FormText.encode(UpstreamStub.issuer))"
            + "&code=\(code)&state=\(query["state"] ?? "")"
        try await refusal(house, try await browser.get(pasted), browser)
    }

    @Test("A denial at the provider is displayed, and nothing has changed")
    func denied() async throws {
        let house = try await UpstreamHouse()
        var browser = house.pages.browser()
        let location = try await house.leave(&browser, query: "?next=device")
        let state = try #require(
            try FormParameters(Array(location.split(separator: "?")[1].utf8)).values["state"])
        let iss = FormText.encode(UpstreamStub.issuer)
        let answer = try await browser.get(
            "/sign-in/with/acme/callback?error=access_denied&state=\(state)&iss=\(iss)")
        try await refusal(house, answer, browser)
        #expect(answer.text.contains("Sign-in with the other provider was cancelled"))
        // Nothing of what came along is in a link, and the way can go on.
        #expect(!answer.text.contains(state) && answer.text.contains("next=device"))
    }

    @Test("Attack 31: an e-mail address never finds an account, verified or not")
    func email() async throws {
        let house = try await UpstreamHouse(["trust_email": true])
        var claims = PersonClaims()
        claims.email = "anna@acme.example"
        claims.emailVerified = true
        let local = Person(
            id: Identifier(now: house.pages.clock.now, random: house.pages.random),
            project: house.pages.project.id, username: "anna", claims: claims,
            createdAt: house.pages.clock.now)
        #expect(try await house.store.people.create(local, with: []) == .created)
        var browser = house.pages.browser()
        _ = try await house.signIn(&browser)
        let person = try #require(try await house.signedIn(browser)).person
        #expect(person.id != local.id && person.claims.emailVerified == false)
        // The owner of the mailbox stays its only owner.
        let owner = try await house.store.people.person(
            verifiedEmail: "anna@acme.example", in: house.pages.project.id)
        #expect(owner?.id == local.id)
    }

    @Test(
        "Attack 31: a provider's statement about a mailbox is accepted only if the project trusts it"
    )
    func trustedEmail() async throws {
        for (isVerified, isTrusted) in [(true, true), (false, true), (true, false)] {
            let house = try await UpstreamHouse(["trust_email": .bool(isTrusted)])
            house.acme.change { $0.claims["email_verified"] = .bool(isVerified) }
            var browser = house.pages.browser()
            _ = try await house.signIn(&browser)
            let person = try #require(try await house.signedIn(browser)).person
            #expect(person.claims.emailVerified == (isVerified && isTrusted))
        }
    }

    @Test("Attack 30, 38: claims give no role, whatever their names")
    func claims() async throws {
        let house = try await UpstreamHouse()
        house.acme.change {
            $0.claims["groups"] = ["administrators"]
            $0.claims["picture"] = "javascript:alert(1)"
            $0.claims["name"] = "\u{202E}evil"
        }
        var browser = house.pages.browser()
        _ = try await house.signIn(&browser)
        let person = try #require(try await house.signedIn(browser)).person
        #expect(person.claims.groups == nil && person.claims.picture == nil)
        #expect(person.claims.name == nil)
    }

    @Test("Without the setting no person is created")
    func closed() async throws {
        let house = try await UpstreamHouse(["create_people": false])
        var browser = house.pages.browser()
        let answer = try await house.signIn(&browser)
        try await refusal(house, answer, browser)
        #expect(answer.text.contains("No account here is connected to that account"))
        #expect(try await house.events("registration.federated").isEmpty)
    }

    @Test("A guess at a name of this place is not forgiven because a namesake got in elsewhere")
    func attempts() async throws {
        let house = try await UpstreamHouse()
        _ = try await house.pages.registered()
        for _ in 0..<10 {
            var guesser = house.pages.browser()
            _ = try await guesser.get("/sign-in")
            _ = try await guesser.submit("/sign-in", ["username": "anna", "password": "guess"])
        }
        var namesake = house.pages.browser()
        #expect(try await house.signIn(&namesake).status == .seeOther)
        var guesser = house.pages.browser()
        _ = try await guesser.get("/sign-in")
        let answer = try await guesser.submit(
            "/sign-in", ["username": "anna", "password": "guess"])
        #expect(answer.status == .tooManyRequests)
    }

    @Test("Attack 30: who may do less changes no provider that signs in who may do more")
    func higherRole() async throws {
        let house = try await UpstreamHouse()
        var browser = house.pages.browser()
        _ = try await house.signIn(&browser)
        let person = try #require(try await house.signedIn(browser)).person
        func administrator(_ role: Administrator.Role) -> Administrator {
            Administrator(
                id: Identifier(now: house.pages.clock.now, random: SystemRandomSource()),
                person: person.id, project: role == .owner ? nil : person.project, role: role,
                createdAt: house.pages.clock.now)
        }
        let lower = AdministratorRights([administrator(.projectAdministrator)])
        try await house.put(["jwks_uri": "https://keys.acme.example/jwks"])
        #expect(try await house.store.administrators.assign(administrator(.owner)) == .assigned)
        for change: [String: JSONValue] in [
            [:], ["jwks_uri": "https://evil.example/jwks"], ["acr": ["x": "phr"]],
            ["issuer": "https://evil.example"], ["enabled": false, "trust_email": true],
        ] {
            await #expect(throws: StateDocumentError.self, "\(change)") {
                try await house.put(change, rights: lower)
            }
        }
        let kept: [String: JSONValue] = ["jwks_uri": "https://keys.acme.example/jwks"]
        try await house.put(kept, rights: lower)
        try await house.put(
            ["enabled": false].merging(kept) { $1 }, rights: lower)
        let owner = AdministratorRights([administrator(.owner)])
        try await house.put(rights: owner)
        _ = try await house.signIn(&browser)
        #expect(try await house.signedIn(browser)?.person.id == person.id)
    }

    @Test("No provider's sign-in page is sought from within a frame")
    func unknown() async throws {
        let house = try await UpstreamHouse()
        var browser = house.pages.browser()
        for name in ["nobody", "ACME", "acme%00"] {
            let answer = try await browser.get("/sign-in/with/\(name)")
            #expect(answer.location == nil && answer.status != .ok)
        }
    }
}
