// SPDX-License-Identifier: Apache-2.0
import JOSE
import OAuth
import Primitives
import ProviderCore
import ProviderTokens
import Storage
import StorageSQL
import Support
import Testing

/// A client's requirements for the authentication, and the claims that it receives.
@Suite("Step-up at the authorization endpoint")
struct StepUpTests {
    private static let key = ["hwk", "user", "mfa"]
    private static let password = "urn:gatehouse:acr:password"

    private func follow(
        _ house: OAuthHouse, cookie: String?, _ change: [String: String?]
    ) async throws -> OAuthHouse.Answer {
        try OAuthHouse.Answer(
            try await house.get("/authorize", house.request("shop", change), cookie: cookie))
    }

    private func resume(
        _ house: OAuthHouse, _ handle: String, _ signedIn: AuthenticatedSession
    ) async throws -> AuthorizationStep {
        try await AuthorizationEndpoint(house.provider).resume(
            handle: handle, tenant: house.tenant, facts: house.facts, signedIn: signedIn)
    }

    private func need(_ step: AuthorizationStep) -> Interaction.Need? {
        if case .interaction(let interaction) = step { interaction.need } else { nil }
    }

    /// The ID token that a step leads to.
    private func claims(_ house: OAuthHouse, _ step: AuthorizationStep) async throws -> JSONObject {
        guard case .answer(let response) = step else {
            Issue.record("no answer: \(step)")
            return JSONObject()
        }
        let code = try #require(response["code"], "\(response.parameters)")
        return try house.claims(
            of: try house.json(try await house.redeem(code))["id_token"]?.string)
    }

    private static func essential(_ value: String) -> String {
        #"{"id_token":{"acr":{"essential":true,"value":"\#(value)"}}}"#
    }

    // MARK: What tokens say

    @Test("a password results in its class, a key in phr, in both tokens and after a refresh")
    func classes() async throws {
        let house = try await OAuthHouse()
        for (methods, acr) in [(["pwd"], Self.password), (Self.key, "phr")] {
            let tokens = try await house.tokens(
                cookie: try await house.signIn(methods: methods).cookie)
            let again = try house.json(
                try await house.refresh(try #require(tokens["refresh_token"]?.string)))
            for token in [tokens["id_token"], tokens["access_token"], again["access_token"]] {
                let claims = try house.claims(of: token?.string)
                #expect(claims["acr"]?.string == acr)
                #expect(claims["amr"]?.strings == methods)
            }
        }
    }

    @Test("discovery says which classes there are")
    func discovery() async throws {
        let house = try await OAuthHouse()
        let document = try house.json(try await house.get("/.well-known/openid-configuration"))
        #expect(
            document["acr_values_supported"]?.strings == [Self.password, "phr", "phrh"])
    }

    @Test("a session of an older version of the program, without factors, says what it did")
    func olderSession() async throws {
        let house = try await OAuthHouse()
        let (cookie, signedIn) = try await house.signIn(methods: Self.key)
        _ = try await house.engine.change("UPDATE sessions SET factors = ''")
        let claims = try house.claims(
            of: try await house.tokens(cookie: cookie)["id_token"]?.string)
        #expect(claims["acr"]?.string == "phr")
        #expect(claims["auth_time"]?.integer == signedIn.session.authenticatedAt.seconds)
    }

    // MARK: Exactly what is missing

    @Test("signed in with a password, asked for phr: the key alone, and then both are said")
    func stepUp() async throws {
        let house = try await OAuthHouse()
        let key = try await house.addKey()
        let first = try await house.signIn()
        house.clock.advance(by: .minutes(20))
        let answer = try await follow(house, cookie: first.cookie, ["acr_values": "phr"])
        #expect(answer.address == "/step-up")
        let handle = try #require(answer.parameters["continue"])
        #expect(
            need(try await resume(house, handle, first.signedIn))
                == .stepUp(to: .phishingResistant, isEssential: false))
        let second = try await house.signIn(
            methods: Self.key, with: key, replacing: first.signedIn)
        let claims = try await claims(house, try await resume(house, handle, second.signedIn))
        #expect(claims["acr"]?.string == "phr")
        #expect(claims["amr"]?.strings == ["pwd", "hwk", "user", "mfa"])
        #expect(claims["auth_time"]?.integer == house.clock.now.seconds)
    }

    @Test("a person who signed in with a key already gets no prompt")
    func nothingMissing() async throws {
        let house = try await OAuthHouse()
        let cookie = try await house.signIn(methods: Self.key, context: "phrh").cookie
        let tokens = try await house.tokens(
            cookie: cookie, with: ["claims": Self.essential("phr")])
        // The answer is a class that was asked for, not a better one.
        #expect(try house.claims(of: tokens["id_token"]?.string)["acr"]?.string == "phr")
        let silent = try await house.tokens(cookie: cookie)
        #expect(try house.claims(of: silent["id_token"]?.string)["acr"]?.string == "phrh")
    }

    @Test("of several classes the best liked one that can be reached is asked for")
    func preference() async throws {
        let house = try await OAuthHouse()
        try await house.addKey()
        let (cookie, signedIn) = try await house.signIn()
        let answer = try await follow(house, cookie: cookie, ["acr_values": "phrh phr"])
        let step = try await resume(
            house, try #require(answer.parameters["continue"]), signedIn)
        #expect(need(step) == .stepUp(to: .phishingResistant, isEssential: false))
    }

    @Test("phrh requires an attested key, or a project that accepts unattested statements")
    func hardware() async throws {
        let house = try await OAuthHouse()
        try await house.addKey()
        let cookie = try await house.signIn().cookie
        let asked = ["claims": Self.essential("phrh")]
        let refused = try await follow(house, cookie: cookie, asked)
        #expect(refused.parameters["error"] == "unmet_authentication_requirements")
        _ = try await house.change { $0.hardwareEvidence = "claimed" }
        #expect(try await follow(house, cookie: cookie, asked).address == "/step-up")
        _ = try await house.change { $0.hardwareEvidence = "attested" }
        try await house.addKey(trust: "anchored")
        #expect(try await follow(house, cookie: cookie, asked).address == "/step-up")
    }

    // MARK: What cannot be met

    @Test("an unreachable class: essential is an error, voluntary is not")
    func unmet() async throws {
        let house = try await OAuthHouse()
        let cookie = try await house.signIn().cookie
        for claims in [
            Self.essential("phr"), Self.essential("urn:mace:incommon:iap:silver"),
            #"{"id_token":{"acr":{"essential":true,"values":["phrh","x"]}}}"#,
        ] {
            let answer = try await follow(house, cookie: cookie, ["claims": claims])
            #expect(answer.parameters["error"] == "unmet_authentication_requirements")
            #expect(answer.parameters["state"] == "af0ifjsldkj")
        }
        for wish in [
            ["acr_values": "phr"], ["acr_values": "urn:mace:incommon:iap:silver"],
            ["claims": #"{"id_token":{"acr":{"value":"phr"}}}"#],
            ["claims": #"{"id_token":{"acr":{"essential":true}}}"#],
        ] {
            let tokens = try await house.tokens(cookie: cookie, with: wish.mapValues { $0 })
            let acr = try house.claims(of: tokens["id_token"]?.string)["acr"]?.string
            #expect(acr == Self.password)
        }
    }

    @Test("no key at hand: a client that insists is told, another one goes on with what there is")
    func declined() async throws {
        let house = try await OAuthHouse()
        try await house.addKey()
        let (cookie, signedIn) = try await house.signIn()
        for (change, isEssential) in [
            (["acr_values": "phr"], false), (["claims": Self.essential("phr")], true),
        ] {
            let handle = try #require(
                try await follow(house, cookie: cookie, change).parameters["continue"])
            let step = try await AuthorizationEndpoint(house.provider).declineStepUp(
                handle: handle, tenant: house.tenant, facts: house.facts, signedIn: signedIn)
            if isEssential {
                guard case .answer(let answer) = step else {
                    Issue.record("no answer")
                    return
                }
                #expect(answer["error"] == "unmet_authentication_requirements")
            } else {
                #expect(try await claims(house, step)["acr"]?.string == Self.password)
            }
        }
    }

    @Test("prompt=none: a wish is left, an essential class is login_required")
    func silent() async throws {
        let house = try await OAuthHouse()
        try await house.addKey()
        let cookie = try await house.signIn().cookie
        let wish = try await follow(
            house, cookie: cookie, ["prompt": "none", "acr_values": "phr"])
        #expect(wish.parameters["code"] != nil)
        let must = try await follow(
            house, cookie: cookie, ["prompt": "none", "claims": Self.essential("phr")])
        #expect(must.parameters["error"] == "login_required")
    }

    @Test(
        "a request for acr that is no request is refused",
        arguments: [
            #"{"id_token":{"acr":"phr"}}"#, #"{"id_token":{"acr":{"essential":"yes"}}}"#,
            #"{"id_token":{"acr":{"value":1}}}"#, #"{"id_token":{"acr":{"values":"phr"}}}"#,
            #"{"id_token":{"acr":{"value":"phr","values":["phr"]}}}"#,
        ])
    func malformed(claims: String) async throws {
        let house = try await OAuthHouse()
        let cookie = try await house.signIn().cookie
        let answer = try await follow(house, cookie: cookie, ["claims": claims])
        #expect(answer.parameters["error"] == "invalid_request")
    }

    // MARK: Attack 31

    @Test("Attack 31: an assertion that is older than max_age mints nothing")
    func olderAssertion() async throws {
        let house = try await OAuthHouse()
        let key = try await house.addKey()
        let first = try await house.signIn(methods: Self.key, with: key)
        house.clock.advance(by: .minutes(10))
        // A password just now makes the session young, but not the key's part in it.
        let second = try await house.signIn(replacing: first.signedIn)
        let asked = ["acr_values": "phr", "max_age": "300"]
        let answer = try await follow(house, cookie: second.cookie, asked)
        #expect(answer.address == "/step-up")
        let silent = try await follow(
            house, cookie: second.cookie,
            ["claims": Self.essential("phr"), "max_age": "300", "prompt": "none"])
        #expect(silent.parameters["error"] == "login_required")
        let handle = try #require(answer.parameters["continue"])
        let third = try await house.signIn(
            methods: Self.key, with: key, replacing: second.signedIn)
        let claims = try await claims(house, try await resume(house, handle, third.signedIn))
        #expect(claims["acr"]?.string == "phr")
        #expect(claims["auth_time"]?.integer == house.clock.now.seconds)
    }

    @Test("Attack 31: acr and amr of a fresh sign-in say nothing of an older, stronger one")
    func weakerAfterStronger() async throws {
        let house = try await OAuthHouse()
        let first = try await house.signIn(methods: Self.key)
        house.clock.advance(by: .minutes(10))
        let answer = try await follow(house, cookie: first.cookie, ["prompt": "login"])
        let handle = try #require(answer.parameters["continue"])
        house.clock.advance(by: .seconds(5))
        let second = try await house.signIn(replacing: first.signedIn)
        let said = try await claims(house, try await resume(house, handle, second.signedIn))
        #expect(said["acr"]?.string == Self.password)
        #expect(said["amr"]?.strings == ["pwd"])
        let young = try await house.tokens(cookie: second.cookie, with: ["max_age": "60"])
        #expect(
            try house.claims(of: young["id_token"]?.string)["acr"]?.string == Self.password)
    }

    @Test("Attack 31: the time of a class is that of the factor that carries it")
    func time() async throws {
        let house = try await OAuthHouse()
        let first = try await house.signIn(methods: Self.key)
        let shown = house.clock.now.seconds
        house.clock.advance(by: .minutes(10))
        let second = try await house.signIn(replacing: first.signedIn)
        let tokens = try await house.tokens(cookie: second.cookie)
        for name in ["id_token", "access_token"] {
            let claims = try house.claims(of: tokens[name]?.string)
            #expect(claims["acr"]?.string == "phr")
            #expect(claims["auth_time"]?.integer == shown)
        }
    }

    @Test("Attack 31: a key without user verification is no phr by itself, and never hardware")
    func unverified() async throws {
        let house = try await OAuthHouse()
        let alone = try await house.signIn(methods: ["hwk", "user"], context: "phr")
        let tokens = try await house.tokens(cookie: alone.cookie)
        #expect(
            try house.claims(of: tokens["id_token"]?.string)["acr"]?.string == Self.password)
        let both = try await house.signIn(replacing: alone.signedIn)
        let claims = try house.claims(
            of: try await house.tokens(cookie: both.cookie)["id_token"]?.string)
        #expect(claims["acr"]?.string == "phr")
        #expect(claims["amr"]?.strings == ["hwk", "user", "pwd", "mfa"])
    }

    @Test("Attack 31: a step-up by another person is refused")
    func otherPerson() async throws {
        let house = try await OAuthHouse()
        try await house.addKey()
        let anna = try await house.signIn()
        let bert = try await house.signIn(
            try await house.addPerson("bert"), methods: Self.key, replacing: anna.signedIn)
        #expect(bert.signedIn.session.factors.map(\.methods) == [Self.key])
    }

    // MARK: The first key

    @Test("where a second credential is required, one key alone gives access to no app")
    func secondWay() async throws {
        let house = try await OAuthHouse()
        _ = try await house.change { $0.secondFactorBeforeFirstKey = true }
        let key = try await house.addKey()
        let (cookie, signedIn) = try await house.signIn(methods: Self.key, with: key)
        let answer = try await follow(house, cookie: cookie, [:])
        #expect(answer.address == "/second-way")
        let silent = try await follow(house, cookie: cookie, ["prompt": "none"])
        #expect(silent.parameters["error"] == "interaction_required")
        // A password is no key: it counts as it always did.
        #expect(
            try await follow(house, cookie: house.signIn().cookie, [:]).parameters["code"] != nil)
        try await house.addKey()
        let handle = try #require(answer.parameters["continue"])
        let tenant = try #require(try await house.provider.tenant(named: "default"))
        let step = try await AuthorizationEndpoint(house.provider).resume(
            handle: handle, tenant: tenant, facts: house.facts, signedIn: signedIn)
        #expect(try await claims(house, step)["acr"]?.string == "phr")
    }
}
