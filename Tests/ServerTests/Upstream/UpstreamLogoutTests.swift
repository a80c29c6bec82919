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

/// Signing out that begins at Acme: in the back channel by a token, in the front channel by the name
/// of its session.
@Suite struct UpstreamLogoutTests {
    private let house: UpstreamHouse

    init() async throws {
        house = try await UpstreamHouse()
        house.acme.change { $0.claims["sid"] = "session-1" }
    }

    private func post(_ token: String, to name: String = "acme") async throws -> Answer {
        var stranger = house.pages.browser()
        return try await stranger.send(
            .post, "/sign-out/by/\(name)",
            headers: [.contentType: "application/x-www-form-urlencoded"],
            body: FormEncoding.encode([(name: "logout_token", value: token)]).utf8.map(\.self))
    }

    private func frame(_ query: String) async throws -> Answer {
        var stranger = house.pages.browser()
        return try await stranger.get("/sign-out/by/acme\(query)")
    }

    private func signedIn(sid: String? = "session-1") async throws -> Browser {
        house.acme.change { $0.claims["sid"] = sid.map(JSONValue.string) ?? .null }
        var browser = house.pages.browser()
        #expect(try await house.signIn(&browser).location == "/account")
        return browser
    }

    // MARK: Back channel

    @Test("A logout token that names Acme's session ends ours, and no other")
    func session() async throws {
        let (one, two) = (try await signedIn(), try await signedIn(sid: "session-2"))
        let answer = try await post(house.acme.logoutToken(["sid": "session-1", "sub": .null]))
        #expect(answer.status == .ok && answer.text.isEmpty)
        #expect(answer.response.headers[.cacheControl] == "no-store")
        #expect(try await house.signedIn(one) == nil)
        let person = try #require(try await house.signedIn(two)).person
        #expect(try await house.events("sign-out.upstream").map(\.person) == [person.id])
    }

    @Test("One that names only the person ends every session that depends on Acme")
    func person() async throws {
        let browsers = [try await signedIn(), try await signedIn(sid: "session-2")]
        #expect(try await post(house.acme.logoutToken()).status == .ok)
        for browser in browsers { #expect(try await house.signedIn(browser) == nil) }
    }

    @Test("A session for which Acme had no name ends with any of the person's")
    func unnamed() async throws {
        let unnamed = try await signedIn(sid: nil)
        let other = try await signedIn(sid: "session-2")
        #expect(try await post(house.acme.logoutToken(["sid": "session-1"])).status == .ok)
        #expect(try await house.signedIn(unnamed) == nil)
        #expect(try await house.signedIn(other) != nil)
    }

    @Test("A session that takes the place of another rests on Acme's as well")
    func replaced() async throws {
        let browser = try await signedIn()
        let session = try #require(try await house.signedIn(browser)).session
        #expect(session.restsOn?.count == 32)
        var again = browser
        #expect(try await house.signIn(&again).location == "/account")
        #expect(try await house.signedIn(again)?.session.restsOn == session.restsOn)
        #expect(try await post(house.acme.logoutToken(["sid": "session-1"])).status == .ok)
        #expect(try await house.signedIn(again) == nil)
    }

    @Test("An unknown person is signed out already")
    func stranger() async throws {
        let browser = try await signedIn()
        #expect(try await post(house.acme.logoutToken(["sub": "nobody"])).status == .ok)
        #expect(
            try await post(house.acme.logoutToken(["sid": "other", "sub": .null])).status == .ok)
        #expect(try await house.signedIn(browser) != nil)
    }

    @Test("Encrypted for us it is opened, and checked like any other")
    func encrypted() async throws {
        let browser = try await signedIn()
        let set = try await house.provider.upstreamKeySet(of: house.pages.tenant)
        let keys = try JSONParser.parseObject(set, maximumBytes: 65_536)["keys"]?.array ?? []
        let sealing = try #require(keys.first { $0["use"]?.string == "enc" })
        let key = try #require(try JSONWebKey(bytes: sealing.bytes).publicKey)
        let wrong = house.acme.logoutToken(["aud": "another"], to: key)
        #expect(try await post(wrong).status == .badRequest)
        #expect(try await house.signedIn(browser) != nil)
        #expect(try await post(house.acme.logoutToken(to: key)).status == .ok)
        #expect(try await house.signedIn(browser) == nil)
    }

    @Test(
        "Attack 58: a token that is not Acme's, not for us, not for this or not of now ends nothing"
    )
    func refused() async throws {
        let browser = try await signedIn()
        let now = house.pages.clock.now.seconds
        let event = "http://schemas.openid.net/event/backchannel-logout"
        let claims: [[String: JSONValue]] = [
            ["iss": "https://other.example"], ["iss": .null], ["aud": "another"], ["aud": .null],
            ["iat": .null], ["iat": .integer(now - 600)], ["iat": .integer(now + 600)],
            ["exp": .integer(now - 600)], ["exp": .null], ["jti": .null], ["jti": ""],
            ["jti": .string(String(repeating: "x", count: 256))],
            ["events": .null], ["events": [:]], ["events": .string(event)],
            ["events": .object(JSONObject([.init(name: event, value: true)]))],
            ["nonce": "of an ID token"], ["sub": .null], ["sub": ""],
            ["sid": ""], ["sid": 7], ["sid": .string(String(repeating: "x", count: 256))],
        ]
        for changes in claims {
            let answer = try await post(house.acme.logoutToken(changes))
            #expect(answer.status == .badRequest, "\(changes)")
        }
        #expect(try await post(house.acme.logoutToken(typ: "at+jwt")).status == .badRequest)
        house.acme.change { $0.signs = 1 }
        #expect(try await post(house.acme.logoutToken()).status == .badRequest)
        house.acme.change { $0.signs = 0 }
        for text in ["", "x", "a.b.c", "a.b.c.d.e"] {
            #expect(try await post(text).status == .badRequest, "\(text)")
        }
        let unknown = try await post(house.acme.logoutToken(), to: "nobody")
        #expect(unknown.status == .badRequest)
        #expect(try await house.signedIn(browser) != nil)
        #expect(try await house.events("sign-out.upstream").allSatisfy { $0.person == nil })
    }

    @Test("Attack 58: a logout token that was heard ends no session that begins after it")
    func replay() async throws {
        _ = try await signedIn()
        let token = house.acme.logoutToken()
        #expect(try await post(token).status == .ok)
        let browser = try await signedIn()
        #expect(try await post(token).status == .badRequest)
        #expect(try await house.signedIn(browser) != nil)
    }

    @Test("A logout token cannot sign in, and an ID token cannot sign out")
    func confusion() async throws {
        var browser = try await signedIn()
        let left = try await house.leave(&browser)
        house.acme.change {
            $0.claims["nonce"] = .null
            $0.claims["events"] = ["http://schemas.openid.net/event/backchannel-logout": [:]]
        }
        let back = try await browser.get(UpstreamHouse.path(try house.acme.authorize(left)))
        #expect(back.status == .unprocessableContent)
        let token = house.acme.logoutToken(["events": .null, "nonce": "n"], typ: "JWT")
        #expect(try await post(token).status == .badRequest)
    }

    @Test("While Acme is away it is told to come again")
    func away() async throws {
        let house = try await UpstreamHouse()
        house.acme.change { $0.unreachable = ["/.well-known/openid-configuration"] }
        var stranger = house.pages.browser()
        let answer = try await stranger.send(
            .post, "/sign-out/by/acme",
            headers: [.contentType: "application/x-www-form-urlencoded"],
            body: Array("logout_token=\(house.acme.logoutToken())".utf8))
        #expect(answer.status == .serviceUnavailable)
    }

    // MARK: Front channel

    @Test("In a frame of Acme's the name of its session ends ours, without any cookie")
    func frontChannel() async throws {
        let (one, two) = (try await signedIn(), try await signedIn(sid: "session-2"))
        let answer = try await frame("?iss=https%3A%2F%2Facme.example&sid=session-1")
        #expect(answer.status == .ok)
        #expect(answer.response.headers[.cacheControl] == "no-store")
        let policy = try #require(answer.response.headers[.contentSecurityPolicy])
        #expect(policy.hasSuffix("frame-ancestors https://acme.example"))
        #expect(try await house.signedIn(one) == nil)
        #expect(try await house.signedIn(two) != nil)
    }

    @Test("Attack 58: without Acme's session id a frame cannot sign a person out")
    func frontChannelRefused() async throws {
        let browser = try await signedIn()
        for query in [
            "", "?sid=session-1", "?iss=https%3A%2F%2Facme.example", "?iss=&sid=session-1",
            "?iss=https%3A%2F%2Facme.example&sid=",
            "?iss=https%3A%2F%2Fother.example&sid=session-1",
        ] {
            #expect(try await frame(query).status == .badRequest, "\(query)")
        }
        let guess = try await frame("?iss=https%3A%2F%2Facme.example&sid=session-3")
        let right = try await frame("?iss=https%3A%2F%2Facme.example&sid=session-4")
        #expect(guess.status == .ok && guess.text == right.text)
        #expect(try await house.signedIn(browser) != nil)
        try await house.put(["enabled": false])
        let disabled = try await frame("?iss=https%3A%2F%2Facme.example&sid=session-1")
        #expect(disabled.status == .badRequest)
    }
}
