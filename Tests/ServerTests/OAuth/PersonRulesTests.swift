// SPDX-License-Identifier: Apache-2.0
import JOSE
import OAuth
import Primitives
import ProviderCore
import ProviderTokens
import Storage
import Support
import Testing

/// What the authorization endpoint asks of a person: prompt, max_age, hints, consent.
@Suite("The person at the authorization endpoint")
struct PersonRulesTests {
    /// Where a request of `clientID` leads the browser.
    private func follow(
        _ house: OAuthHouse, _ clientID: String = "shop", cookie: String?,
        _ change: [String: String?] = [:]
    ) async throws -> OAuthHouse.Answer {
        try OAuthHouse.Answer(
            try await house.get("/authorize", house.request(clientID, change), cookie: cookie))
    }

    private func resume(
        _ house: OAuthHouse, _ handle: String, _ signedIn: AuthenticatedSession?
    ) async throws -> AuthorizationStep {
        try await AuthorizationEndpoint(house.provider).resume(
            handle: handle, tenant: house.tenant, facts: house.facts, signedIn: signedIn)
    }

    private func need(_ step: AuthorizationStep) -> Interaction.Need? {
        if case .interaction(let interaction) = step { interaction.need } else { nil }
    }

    @Test("without a session: to the sign-in page with a handle, then on to the client")
    func signIn() async throws {
        let house = try await OAuthHouse()
        let answer = try await follow(house, cookie: nil, ["ui_locales": "de"])
        #expect(answer.address == "/sign-in")
        #expect(answer.parameters["ui_locales"] == "de")
        let handle = try #require(answer.parameters["continue"])
        let step = try await resume(house, handle, try await house.signIn().signedIn)
        guard case .answer(let response) = step else {
            Issue.record("no answer")
            return
        }
        #expect(response["code"] != nil)
        #expect(response["state"] == "af0ifjsldkj")
        #expect(response["iss"] == OAuthHouse.issuer)
    }

    @Test("a handle is consumed by its response")
    func handleOnce() async throws {
        let house = try await OAuthHouse()
        let handle = try #require(
            try await follow(house, cookie: nil).parameters["continue"])
        let signedIn = try await house.signIn().signedIn
        guard case .answer = try await resume(house, handle, signedIn) else {
            Issue.record("no answer")
            return
        }
        guard case .page(let refusal) = try await resume(house, handle, signedIn) else {
            Issue.record("answered twice")
            return
        }
        #expect(refusal.code == "request_expired")
    }

    @Test("a handle of an earlier request is consumed by the response to a later one")
    func earlierHandle() async throws {
        let house = try await OAuthHouse()
        let anna = try await house.signIn()
        house.clock.advance(by: .seconds(10))
        let first = try #require(
            try await follow(
                house, cookie: anna.cookie, ["prompt": "select_account consent"]
            ).parameters["continue"])
        let endpoint = AuthorizationEndpoint(house.provider)
        func choose() async throws -> AuthorizationStep {
            try await endpoint.chooseCurrent(
                handle: first, tenant: house.tenant, facts: house.facts, signedIn: anna.signedIn)
        }
        guard case .interaction(let asked) = try await choose() else {
            Issue.record("no question")
            return
        }
        #expect(asked.handle != first)
        guard
            case .answer = try await endpoint.decideConsent(
                handle: asked.handle, allow: true, tenant: house.tenant, facts: house.facts,
                signedIn: anna.signedIn)
        else {
            Issue.record("no answer")
            return
        }
        for step in [try await choose(), try await resume(house, asked.handle, anna.signedIn)] {
            guard case .page(let refusal) = step else {
                Issue.record("answered twice")
                continue
            }
            #expect(refusal.code == "request_expired")
        }
    }

    @Test("a handle that is unknown, too old or of another project leads nowhere")
    func unknownHandles() async throws {
        let house = try await OAuthHouse()
        let signedIn = try await house.signIn().signedIn
        let handle = try #require(
            try await follow(house, cookie: nil).parameters["continue"])
        let other = try await house.addProject("other")
        guard
            case .page = try await AuthorizationEndpoint(house.provider).resume(
                handle: handle, tenant: other, facts: house.facts, signedIn: signedIn)
        else {
            Issue.record("answered in another project")
            return
        }
        house.clock.advance(by: .minutes(31))
        for handle in [handle, "", "nonsense", String(repeating: "x", count: 10_000)] {
            guard case .page = try await resume(house, handle, signedIn) else {
                Issue.record("\(handle.prefix(20)) was answered")
                return
            }
        }
    }

    @Test("Attack 9: a resumed request cannot outlive its client: rules are applied again")
    func resumedAfterDisabling() async throws {
        let house = try await OAuthHouse()
        let handle = try #require(
            try await follow(house, cookie: nil).parameters["continue"])
        try await house.change(client: "shop") { $0.disabled = true }
        guard case .page = try await resume(house, handle, try await house.signIn().signedIn)
        else {
            Issue.record("answered for a disabled client")
            return
        }
    }

    @Test("Attack 9: what the client may no longer ask for is not given at the end of a sign-in")
    func resumedAfterChange() async throws {
        let changes: [@Sendable (inout Client) -> Void] = [
            { $0.metadata.scope = "openid profile" },
            { $0.metadata.grantTypes = ["client_credentials"] },
        ]
        for change in changes {
            let house = try await OAuthHouse()
            let handle = try #require(
                try await follow(house, cookie: nil, ["scope": "openid orders:write"])
                    .parameters["continue"])
            try await house.change(client: "shop", change)
            let step = try await resume(house, handle, try await house.signIn().signedIn)
            guard case .answer(let response) = step else {
                Issue.record("no answer")
                continue
            }
            #expect(response["code"] == nil)
            #expect(["invalid_scope", "unauthorized_client"].contains(response["error"]))
        }
    }

    @Test("Attack 9: an address that is no longer the client's gets no answer")
    func resumedAfterMove() async throws {
        let house = try await OAuthHouse()
        let handle = try #require(
            try await follow(house, cookie: nil).parameters["continue"])
        try await house.change(client: "shop") {
            $0.metadata.redirectURIs = ["https://shop.example.com/other"]
        }
        guard case .page = try await resume(house, handle, try await house.signIn().signedIn)
        else {
            Issue.record("answered at the old address")
            return
        }
    }

    @Test("prompt-none-not-logged-in: login_required")
    func promptNoneSignedOut() async throws {
        let house = try await OAuthHouse()
        let answer = try await follow(house, cookie: nil, ["prompt": "none"])
        #expect(answer.parameters["error"] == "login_required")
        #expect(answer.parameters["iss"] == OAuthHouse.issuer)
    }

    @Test("prompt-none-logged-in: silent, same sub and auth_time")
    func promptNoneSignedIn() async throws {
        let house = try await OAuthHouse()
        let cookie = try await house.signIn().cookie
        let first = try await house.tokens(cookie: cookie)
        house.clock.advance(by: .minutes(5))
        let second = try await house.tokens(cookie: cookie, with: ["prompt": "none"])
        let before = try house.claims(of: first["id_token"]?.string)
        let after = try house.claims(of: second["id_token"]?.string)
        #expect(before["sub"] == after["sub"])
        #expect(before["auth_time"] == after["auth_time"])
    }

    @Test("prompt-login: signs in again, and auth_time advances")
    func promptLogin() async throws {
        let house = try await OAuthHouse()
        let first = try await house.signIn()
        house.clock.advance(by: .minutes(5))
        let answer = try await follow(house, cookie: first.cookie, ["prompt": "login"])
        let handle = try #require(answer.parameters["continue"])
        #expect(
            need(try await resume(house, handle, first.signedIn))
                == .signIn(loginHint: nil, reason: .again))
        house.clock.advance(by: .seconds(10))
        let again = try await house.signIn().signedIn
        guard case .answer(let response) = try await resume(house, handle, again) else {
            Issue.record("no answer")
            return
        }
        let tokens = try house.json(
            try await house.redeem(try #require(response["code"])))
        let claims = try house.claims(of: tokens["id_token"]?.string)
        #expect(claims["auth_time"]?.integer == house.clock.now.seconds)
    }

    @Test("prompt=select_account: choosing the account that is signed in answers")
    func chooseCurrent() async throws {
        let house = try await OAuthHouse()
        let anna = try await house.signIn()
        house.clock.advance(by: .seconds(10))
        let answer = try await follow(house, cookie: anna.cookie, ["prompt": "select_account"])
        #expect(answer.address == "/choose-account")
        let handle = try #require(answer.parameters["continue"])
        let endpoint = AuthorizationEndpoint(house.provider)
        func choose(_ person: AuthenticatedSession?) async throws -> AuthorizationStep {
            try await endpoint.chooseCurrent(
                handle: handle, tenant: house.tenant, facts: house.facts, signedIn: person)
        }
        if case .answer = try await choose(nil) { Issue.record("answered for nobody") }
        #expect(need(try await resume(house, handle, anna.signedIn)) == .selectAccount)
        guard case .answer(let response) = try await choose(anna.signedIn) else {
            Issue.record("no answer")
            return
        }
        #expect(response["code"] != nil)
        if case .answer = try await choose(anna.signedIn) { Issue.record("answered twice") }
    }

    @Test("Attack 62: one person's choice of account does not count for another")
    func foreignChoice() async throws {
        let house = try await OAuthHouse()
        let anna = try await house.signIn()
        let bert = try await house.signIn(try await house.addPerson("bert")).signedIn
        house.clock.advance(by: .seconds(10))
        let request = ["prompt": "select_account consent"]
        let answer = try await follow(house, cookie: anna.cookie, request)
        let handle = try #require(answer.parameters["continue"])
        let step = try await AuthorizationEndpoint(house.provider).chooseCurrent(
            handle: handle, tenant: house.tenant, facts: house.facts, signedIn: anna.signedIn)
        guard case .interaction(let interaction) = step, case .consent = interaction.need else {
            Issue.record("no question of consent")
            return
        }
        for handle in [handle, interaction.handle] {
            #expect(need(try await resume(house, handle, bert)) == .selectAccount)
        }
    }

    @Test("prompt=select_account asks, and signing in answers")
    func selectAccount() async throws {
        let house = try await OAuthHouse()
        let first = try await house.signIn()
        house.clock.advance(by: .seconds(10))
        let answer = try await follow(house, cookie: first.cookie, ["prompt": "select_account"])
        #expect(answer.address == "/choose-account")
        let handle = try #require(answer.parameters["continue"])
        #expect(need(try await resume(house, handle, first.signedIn)) == .selectAccount)
        let bert = try await house.signIn(try await house.addPerson("bert")).signedIn
        guard case .answer = try await resume(house, handle, bert) else {
            Issue.record("no answer")
            return
        }
    }

    @Test(
        "bad prompts are refused",
        arguments: ["none login", "NONE", "create", "login  nonsense"])
    func badPrompt(prompt: String) async throws {
        let house = try await OAuthHouse()
        let answer = try await follow(house, cookie: nil, ["prompt": prompt])
        #expect(answer.parameters["error"] == "invalid_request")
    }

    @Test("max-age-1 signs in again, max-age-10000 does not")
    func maxAge() async throws {
        let house = try await OAuthHouse()
        let cookie = try await house.signIn().cookie
        house.clock.advance(by: .seconds(3))
        #expect(try await follow(house, cookie: cookie, ["max_age": "1"]).address == "/sign-in")
        let silent = try await follow(
            house, cookie: cookie, ["max_age": "1", "prompt": "none"])
        #expect(silent.parameters["error"] == "login_required")
        let long = try await house.tokens(cookie: cookie, with: ["max_age": "10000"])
        #expect(try house.claims(of: long["id_token"]?.string)["auth_time"]?.integer != nil)
    }

    @Test("max_age=0 requires a sign-in once, not repeatedly")
    func maxAgeZero() async throws {
        let house = try await OAuthHouse()
        let cookie = try await house.signIn().cookie
        house.clock.advance(by: .seconds(3))
        let handle = try #require(
            try await follow(house, cookie: cookie, ["max_age": "0"]).parameters["continue"])
        let again = try await house.signIn().signedIn
        house.clock.advance(by: .seconds(3))
        guard case .answer = try await resume(house, handle, again) else {
            Issue.record("asked again")
            return
        }
    }

    @Test("max_age must be a number", arguments: ["-1", "x", "1.5", "99999999999999999999"])
    func badMaxAge(value: String) async throws {
        let house = try await OAuthHouse()
        let answer = try await follow(house, cookie: nil, ["max_age": value])
        #expect(answer.parameters["error"] == "invalid_request")
    }

    @Test("default_max_age of the client holds where max_age is left out")
    func defaultMaxAge() async throws {
        let house = try await OAuthHouse()
        try await house.change(client: "shop") { $0.metadata.defaultMaxAge = 60 }
        let cookie = try await house.signIn().cookie
        house.clock.advance(by: .seconds(61))
        #expect(try await follow(house, cookie: cookie).address == "/sign-in")
    }

    @Test("id-token-hint: prompt=none with the hint succeeds, also when it is expired")
    func idTokenHint() async throws {
        let house = try await OAuthHouse()
        let cookie = try await house.signIn().cookie
        let hint = try #require(try await house.tokens(cookie: cookie)["id_token"]?.string)
        house.clock.advance(by: .minutes(90))
        let change = ["prompt": "none", "id_token_hint": hint]
        #expect(try await follow(house, cookie: cookie, change).parameters["code"] != nil)
    }

    @Test("Attack 62: account switch: prompt=none with another account's hint is login_required")
    func otherAccountsHint() async throws {
        let house = try await OAuthHouse()
        let hint = try #require(try await house.tokens()["id_token"]?.string)
        let bert = try await house.signIn(try await house.addPerson("bert"))
        let silent = try await follow(
            house, cookie: bert.cookie, ["prompt": "none", "id_token_hint": hint])
        #expect(silent.parameters["error"] == "login_required")
        let asked = try await follow(house, cookie: bert.cookie, ["id_token_hint": hint])
        #expect(asked.address == "/sign-in")
    }

    @Test("Attack 16, 63: purpose confusion: access and unsigned tokens are no id_token_hint")
    func hintsThatAreNone() async throws {
        let house = try await OAuthHouse()
        let tokens = try await house.tokens()
        let identity = try #require(tokens["id_token"]?.string)
        let parts = identity.split(separator: ".")
        let unsigned = "eyJhbGciOiJub25lIn0.\(parts[1])."
        let hints = [
            tokens["access_token"]?.string ?? "", unsigned, "\(parts[0]).\(parts[1]).",
            "\(parts[0]).\(parts[1])", identity + "x", "x",
            unsigned.replacing("eyJhbGciOiJub25lIn0", with: "eyJhbGciOiJOb05FIn0"),
        ]
        for hint in hints {
            let answer = try await follow(house, cookie: nil, ["id_token_hint": hint])
            #expect(answer.parameters["error"] == "invalid_request", "\(hint.prefix(40))")
        }
    }

    // MARK: Consent

    @Test("a third-party client asks for consent once, and then for what is new only")
    func consent() async throws {
        let house = try await OAuthHouse()
        try await house.change(client: "shop") { $0.metadata.firstParty = false }
        let (cookie, signedIn) = try await house.signIn()
        let silent = try await follow(house, cookie: cookie, ["prompt": "none"])
        #expect(silent.parameters["error"] == "consent_required")
        let asked = try await follow(house, cookie: cookie)
        #expect(asked.address == "/consent")
        let handle = try #require(asked.parameters["continue"])
        let step = try await AuthorizationEndpoint(house.provider).decideConsent(
            handle: handle, allow: true, tenant: house.tenant, facts: house.facts,
            signedIn: signedIn)
        guard case .answer(let response) = step else {
            Issue.record("no answer")
            return
        }
        #expect(response["code"] != nil)
        #expect(try await follow(house, cookie: cookie).parameters["code"] != nil)
        let wider = try await follow(house, cookie: cookie, ["scope": "openid profile email"])
        #expect(wider.address == "/consent")
        let anew = try await follow(house, cookie: cookie, ["prompt": "consent"])
        #expect(anew.address == "/consent")
    }

    @Test("consent denied: access_denied to the client, and nothing is remembered")
    func consentDenied() async throws {
        let house = try await OAuthHouse()
        try await house.change(client: "shop") { $0.metadata.firstParty = false }
        let (cookie, signedIn) = try await house.signIn()
        let handle = try #require(
            try await follow(house, cookie: cookie).parameters["continue"])
        let step = try await AuthorizationEndpoint(house.provider).decideConsent(
            handle: handle, allow: false, tenant: house.tenant, facts: house.facts,
            signedIn: signedIn)
        guard case .answer(let response) = step else {
            Issue.record("no answer")
            return
        }
        #expect(response["error"] == "access_denied")
        #expect(try await follow(house, cookie: cookie).address == "/consent")
    }

    @Test("Attack 34: consent without a session, or without sufficient assurance, is refused")
    func consentSkippingSignIn() async throws {
        let house = try await OAuthHouse()
        try await house.change(client: "shop") { $0.metadata.firstParty = false }
        let first = try await house.signIn()
        house.clock.advance(by: .seconds(10))
        let handle = try #require(
            try await follow(house, cookie: first.cookie, ["prompt": "login"])
                .parameters["continue"])
        for signedIn in [nil, first.signedIn] {
            let step = try await AuthorizationEndpoint(house.provider).decideConsent(
                handle: handle, allow: true, tenant: house.tenant, facts: house.facts,
                signedIn: signedIn)
            guard case .signIn = need(step) else {
                Issue.record("sign-in was skipped")
                return
            }
        }
    }

    @Test("Attack 62: consent is the person's own: another account is asked again")
    func consentOfAnotherAccount() async throws {
        let house = try await OAuthHouse()
        try await house.change(client: "shop") { $0.metadata.firstParty = false }
        let anna = try await house.signIn()
        let handle = try #require(
            try await follow(house, cookie: anna.cookie, ["prompt": "consent"])
                .parameters["continue"])
        let bert = try await house.signIn(try await house.addPerson("bert"))
        #expect(
            need(try await resume(house, handle, bert.signedIn))
                == .consent(scope: ScopeSet(["openid", "profile"])))
    }
}
