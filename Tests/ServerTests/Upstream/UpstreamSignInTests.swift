// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import JOSE
import OAuth
import Primitives
import ProviderCore
import ProviderUpstream
import Storage
import Support
import Testing

@testable import HTTPServer

@Suite struct UpstreamSignInTests {
    @Test("A person of Acme gets an account at sign-in, and signs in again")
    func newcomer() async throws {
        let house = try await UpstreamHouse()
        var browser = house.pages.browser()
        let page = try await browser.get("/sign-in")
        #expect(page.text.contains("Sign in with Acme"))
        let answer = try await house.signIn(&browser)
        #expect(answer.status == .seeOther && answer.location == "/account")
        let first = try #require(try await house.signedIn(browser))
        #expect(first.person.username == "anna" && first.person.realm == "idp:acme")
        #expect(first.person.claims.name == "Anna of Acme")
        #expect(first.person.claims.email == "anna@acme.example")
        #expect(first.person.claims.emailVerified == false)
        // What the ID token left out came from the user info address.
        #expect(first.person.claims.locale == "de")
        #expect(first.session.factors.map(\.methods) == [["fed"]])
        #expect(first.session.factors.first?.contextClass == ContextClass.password.rawValue)
        var other = house.pages.browser()
        _ = try await house.signIn(&other)
        #expect(try await house.signedIn(other)?.person.id == first.person.id)
        #expect(try await house.events("registration.federated").count == 1)
        #expect(try await house.events("sign-in.federated").count == 2)
        let account = try await other.get("/account")
        #expect(account.text.contains("Disconnect"))
        // A person of Acme cannot enter a username: no password is offered.
        #expect(!account.text.contains("name=\"current_password\""))
        #expect(!account.text.contains("id=\"new-password\""))
    }

    @Test("We ask with PKCE, nonce and state, for our own address, and prove who we are")
    func request() async throws {
        let house = try await UpstreamHouse()
        var browser = house.pages.browser()
        let location = try await house.leave(&browser)
        let query = try FormParameters(Array(location.split(separator: "?")[1].utf8)).values
        #expect(query["response_type"] == "code" && query["client_id"] == "gatehouse")
        #expect(query["code_challenge_method"] == "S256" && query["nonce"]?.count == 43)
        #expect(query["scope"] == "openid profile email")
        #expect(query["redirect_uri"] == PagesHouse.issuer + "/sign-in/with/acme/callback")
        #expect(query["prompt"] == nil && query["max_age"] == nil)
        _ = try await browser.get(UpstreamHouse.path(try house.acme.authorize(location)))
        #expect(house.acme.asked.contains("/token"))
        #expect(house.acme.lastToken["client_secret"] == nil)
        #expect(house.acme.lastToken["client_id"] == nil)
        // Neither verifier nor nonce is in the database.
        #expect(query["code_challenge"] != query["nonce"])
    }

    @Test("A client secret can be posted, or a key can sign, or there is neither")
    func authentication() async throws {
        let house = try await UpstreamHouse()
        for (method, field) in [
            ("client_secret_post", "client_secret"), ("private_key_jwt", "client_assertion"),
            ("none", "client_id"),
        ] {
            let secret: JSONValue = method == "client_secret_post" ? "again" : .null
            try await house.put([
                "token_endpoint_auth_method": .string(method), "client_secret": secret,
            ])
            var browser = house.pages.browser()
            #expect(try await house.signIn(&browser).status == .seeOther)
            #expect(house.acme.lastToken[field] != nil, "\(method)")
        }
        try await house.put([
            "token_endpoint_auth_method": "private_key_jwt", "client_secret": .null,
        ])
        var browser = house.pages.browser()
        _ = try await house.signIn(&browser)
        let assertion = try #require(house.acme.lastToken["client_assertion"])
        // The key set has it, and no token of the project is taken that it signs.
        let keys = try JWKSet(
            bytes: try await house.provider.keys.jwks(of: house.pages.tenant))
        let tokenKeys = try await house.provider.keys.publishedKeys(of: house.pages.tenant)
        let kid = try UnverifiedJWS(compact: assertion).signatures.first?.header.keyID
        #expect(try tokenKeys.key(id: #require(kid)) == nil)
        let jws = try JWSVerifier(keys: keys, algorithms: [.es256]).verify(compact: assertion)
        let claims = try JSONParser.parseObject(jws.payload, maximumBytes: 4096)
        #expect(claims["aud"] == .string(UpstreamStub.issuer))
        #expect(claims["sub"] == "gatehouse" && claims["jti"]?.string?.isEmpty == false)
    }

    @Test("Plain OAuth 2.0 identifies the person at its user info endpoint, under any member name")
    func plain() async throws {
        let house = try await UpstreamHouse()
        try await house.put(
            [
                "kind": "oauth", "issuer": .null,
                "authorization_endpoint": .string(UpstreamStub.issuer + "/authorize"),
                "token_endpoint": .string(UpstreamStub.issuer + "/token"),
                "userinfo_endpoint": .string(UpstreamStub.issuer + "/userinfo"),
                "claims": ["sub": "id", "username": "login"],
            ], identifier: "hub")
        var browser = house.pages.browser()
        let answer = try await house.signIn(&browser, with: "hub")
        #expect(answer.status == .seeOther)
        let person = try #require(try await house.signedIn(browser)).person
        #expect(person.username == "annika" && person.realm == "idp:hub")
        #expect(!house.acme.asked.contains("/.well-known/openid-configuration"))
        // It does not support a repeated authentication.
        let again = try await browser.get("/sign-in?again=1&next=account")
        #expect(again.text.contains("/sign-in/with/acme") && !again.text.contains("with/hub"))
        let refused = try await browser.get("/sign-in/with/hub")
        #expect(refused.status == .unprocessableContent)
        house.acme.change { $0.userInfo["id"] = .null }
        var other = house.pages.browser()
        #expect(try await house.signIn(&other, with: "hub").status == .unprocessableContent)
    }

    @Test("Two who have one name there are two here; a name that is none is replaced")
    func names() async throws {
        let house = try await UpstreamHouse()
        for (subject, username, expected) in [
            ("acme-1", "anna" as JSONValue, "anna"), ("acme-2", "anna", "acme-2"),
            ("acme-3", "\u{202E}", "acme-3"), ("acme-4", 5, "acme-4"),
        ] {
            house.acme.change {
                $0.subject = subject
                $0.claims["preferred_username"] = username
            }
            var browser = house.pages.browser()
            _ = try await house.signIn(&browser)
            #expect(try await house.signedIn(browser)?.person.username == expected)
        }
    }

    @Test("A provider's acr counts for what the project says, and for a password otherwise")
    func contexts() async throws {
        let house = try await UpstreamHouse([
            "acr": ["urn:acme:strong": "phr"], "acr_values": ["x"],
        ])
        for (acr, expected) in [
            ("urn:acme:strong" as JSONValue, "phr"), ("phrh", ContextClass.password.rawValue),
            (7, ContextClass.password.rawValue),
        ] {
            house.acme.change { $0.claims["acr"] = acr }
            var browser = house.pages.browser()
            let location = try await house.leave(&browser)
            #expect(location.contains("acr_values=x"))
            _ = try await browser.get(UpstreamHouse.path(try house.acme.authorize(location)))
            let session = try #require(try await house.signedIn(browser)).session
            #expect(AuthenticationAssurance(session).highest?.rawValue == expected)
            #expect(AuthenticationAssurance(session).claim()?.methods == ["fed"])
        }
    }

    @Test("A person with an old authentication at the provider must authenticate again")
    func freshness() async throws {
        let house = try await UpstreamHouse()
        let now = house.pages.clock.now.seconds
        house.acme.change { $0.claims["auth_time"] = .integer(now - 3600) }
        var browser = house.pages.browser()
        _ = try await house.signIn(&browser)
        let stale = try #require(try await house.signedIn(browser))
        #expect(!stale.isFresh(at: house.pages.clock.now))
        // Asked to show it again: a provider that does not see them again proves nothing.
        let refused = try await house.signIn(&browser, query: "?next=account")
        #expect(refused.status == .unprocessableContent)
        house.acme.change { $0.claims["auth_time"] = .null }
        #expect(try await house.signIn(&browser).status == .unprocessableContent)
        house.acme.change { $0.claims["auth_time"] = .integer(now) }
        let location = try await house.leave(&browser)
        #expect(location.contains("prompt=login") && location.contains("max_age=0"))
        _ = try await browser.get(UpstreamHouse.path(try house.acme.authorize(location)))
        let fresh = try #require(try await house.signedIn(browser))
        #expect(fresh.isFresh(at: house.pages.clock.now))
        #expect(!fresh.hasFreshLocalFactor(at: house.pages.clock.now))
    }

    @Test("Where the way went on before, it goes on afterwards")
    func continuation() async throws {
        let house = try await UpstreamHouse()
        var browser = house.pages.browser()
        let answer = try await house.signIn(&browser, query: "?next=device")
        #expect(answer.location == "/device")
        var other = house.pages.browser()
        let handle = try await house.signIn(&other, query: "?continue=abc")
        #expect(handle.location == "/continue?continue=abc")
    }

    @Test("What is published is fetched once, and keys again when one is new")
    func caching() async throws {
        let house = try await UpstreamHouse()
        for _ in 0..<3 {
            var browser = house.pages.browser()
            _ = try await house.signIn(&browser)
        }
        func count(_ path: String) -> Int { house.acme.asked.count { $0 == path } }
        #expect(count("/.well-known/openid-configuration") == 1 && count("/jwks") == 1)
        house.acme.change {
            $0.signs = 1
            $0.publishes = [0, 1]
        }
        // Not twice within a few seconds, whatever key ids are invented.
        var early = house.pages.browser()
        #expect(try await house.signIn(&early).status == .unprocessableContent)
        #expect(count("/jwks") == 1)
        house.pages.clock.advance(by: .seconds(11))
        var browser = house.pages.browser()
        #expect(try await house.signIn(&browser).status == .seeOther)
        #expect(count("/jwks") == 2)
    }

    @Test("A provider that is away is said to be, and helps again when it is back")
    func away() async throws {
        let house = try await UpstreamHouse()
        house.acme.change { $0.unreachable = ["/.well-known/openid-configuration"] }
        var browser = house.pages.browser()
        let page = try await browser.get("/sign-in/with/acme")
        #expect(page.status == .serviceUnavailable && page.text.contains("is not responding"))
        house.acme.change { $0.unreachable = ["/token"] }
        #expect(try await house.signIn(&browser).status == .serviceUnavailable)
        house.acme.change { $0.unreachable = [] }
        #expect(try await house.signIn(&browser).status == .seeOther)
    }

    @Test("The texts are German for German readers")
    func german() async throws {
        let house = try await UpstreamHouse()
        var browser = house.pages.browser(language: "de")
        #expect(try await browser.get("/sign-in").text.contains("Mit Acme anmelden"))
    }

    @Test("The registration page offers the providers whose people get an account")
    func registrationPage() async throws {
        let house = try await UpstreamHouse()
        var browser = house.pages.browser()
        let button = "href=\"/sign-in/with/acme\""
        #expect(try await browser.get("/register").text.contains(button))
        for entry in [["create_people": false], ["enabled": false], ["link_only": true]] {
            try await house.put(entry.mapValues { JSONValue.bool($0) })
            #expect(!(try await browser.get("/register").text.contains("Acme")), "\(entry)")
        }
    }
}
