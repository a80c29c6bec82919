// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import HTTPTypes
import JOSE
import OAuth
import Primitives
import ProtocolEndpoints
import ProviderCore
import ProviderSupport
import ProviderTokens
import Storage
import Support
import Testing
import WebPages

/// The modules of `oidcc-rp-initiated-logout-certification-test-plan`, and what must not log out.
@Suite("RP-initiated logout")
struct LogoutTests {
    private static let bye = "https://shop.example.com/bye"

    private struct Visit {
        let house: OAuthHouse
        let cookie: String
        let signedIn: AuthenticatedSession
        let hint: String
        let tokens: JSONObject
    }

    private func visit() async throws -> Visit {
        let house = try await OAuthHouse()
        let (cookie, signedIn) = try await house.signIn()
        let tokens = try await house.tokens(cookie: cookie)
        return Visit(
            house: house, cookie: cookie, signedIn: signedIn,
            hint: try #require(tokens["id_token"]?.string), tokens: tokens)
    }

    private func end(
        _ visit: Visit, _ parameters: [String: String], cookie: String? = nil
    ) async throws -> ServerResponse {
        try await visit.house.get(
            "/end_session", parameters, cookie: cookie ?? visit.cookie)
    }

    private func isSignedIn(_ visit: Visit) async throws -> Bool {
        let answer = try OAuthHouse.Answer(
            try await visit.house.get(
                "/authorize", visit.house.request("shop", ["prompt": "none"]),
                cookie: visit.cookie))
        return answer.parameters["code"] != nil
    }

    @Test("discovery has end_session_endpoint")
    func discovery() async throws {
        let house = try await OAuthHouse()
        let document = try house.json(
            try await house.get("/.well-known/openid-configuration"))
        #expect(
            document["end_session_endpoint"]?.string == OAuthHouse.issuer + "/end_session")
    }

    @Test("rp-initiated-logout: redirect with state, then prompt=none fails and tokens are dead")
    func logout() async throws {
        let visit = try await visit()
        let response = try await end(
            visit,
            [
                "id_token_hint": visit.hint, "post_logout_redirect_uri": Self.bye,
                "state": "a b&c",
            ])
        #expect(response.status == .seeOther)
        #expect(response.headers[.location] == Self.bye + "?state=a%20b%26c")
        #expect(response.headers[.setCookie]?.contains("Max-Age=0") == true)
        #expect(try await !isSignedIn(visit))
        let access = try #require(visit.tokens["access_token"]?.string)
        #expect(try await !visit.house.isActive(access))
    }

    @Test("no-state: redirect without state; POST works as well")
    func noState() async throws {
        let visit = try await visit()
        let response = try await visit.house.post(
            "/end_session",
            ["id_token_hint": visit.hint, "post_logout_redirect_uri": Self.bye],
            cookie: visit.cookie)
        #expect(response.headers[.location] == Self.bye)
        #expect(try await !isSignedIn(visit))
    }

    @Test("no-post-logout-redirect-uri: signed out, and our own page")
    func noTarget() async throws {
        let visit = try await visit()
        let response = try await end(visit, ["id_token_hint": visit.hint])
        #expect(response.headers[.location] == "/sign-out")
        #expect(try await !isSignedIn(visit))
    }

    @Test(
        "bad-post-logout-redirect-uri, query-added and others: signed out, and our page says why",
        arguments: [
            "https://evil.example.com/", bye + "?foo=bar", bye + "/", "javascript:alert(1)",
            "https://shop.example.com/callback", "//evil.example.com",
        ])
    func badTarget(uri: String) async throws {
        let visit = try await visit()
        let response = try await end(
            visit, ["id_token_hint": visit.hint, "post_logout_redirect_uri": uri])
        #expect(response.headers[.location] == "/sign-out?left=address")
        #expect(try await !isSignedIn(visit))
    }

    @Test("modified- and bad-id-token-hint: alg none, foreign key, other types: nothing happens")
    func badHints() async throws {
        let visit = try await visit()
        let parts = visit.hint.split(separator: ".")
        let stranger = try JOSESigner(try PrivateJWK.generate(for: .es256))
        let foreign = try stranger.sign(
            payload: try #require(Base64URL.decode(parts[1])), typ: "JWT")
        let access = try #require(visit.tokens["access_token"]?.string)
        let hints = [
            "eyJhbGciOiJub25lIn0.\(parts[1]).", "\(parts[0]).\(parts[1]).",
            String(decoding: foreign, as: UTF8.self), access, "x", visit.hint + "A",
        ]
        for hint in hints {
            let response = try await end(
                visit, ["id_token_hint": hint, "post_logout_redirect_uri": Self.bye])
            #expect(response.status == .badRequest, "\(hint.prefix(40))")
            #expect(response.headers[.location] == nil)
        }
        #expect(try await isSignedIn(visit))
    }

    @Test(
        "Attack 58: no-id-token-hint, no-params, only-state: the person is asked first",
        arguments: [
            [:], ["state": "x"], ["post_logout_redirect_uri": bye],
            ["client_id": "shop", "post_logout_redirect_uri": bye],
        ])
    func withoutHint(parameters: [String: String]) async throws {
        let visit = try await visit()
        let answer = try OAuthHouse.Answer(try await end(visit, parameters))
        #expect(answer.address == "/sign-out")
        #expect(try await isSignedIn(visit))
        let handle = try #require(answer.parameters["continue"])
        let flows = EndpointFlows(
            visit.house.provider, translations: try WebResources().translations)
        let request = ServerRequest(
            method: .post, path: "/sign-out", tenant: visit.house.tenant,
            facts: visit.house.facts)
        let isClient = parameters["client_id"] != nil
        let ask = try await flows.look(handle, request) as SignOutPrompt?
        #expect(ask?.clientName == (isClient ? "The shop" : nil))
        #expect(ask?.redirectOrigin == (isClient ? "https://shop.example.com" : nil))
        let target = try await flows.finish(handle, request, visit.signedIn)
        #expect(target == (isClient ? Self.bye : nil))
        #expect(try await flows.finish(handle, request, visit.signedIn) == nil)
    }

    @Test("Attack 58: the hint of another session, or of another person, asks first")
    func otherSessionsHint() async throws {
        let visit = try await visit()
        let second = try await visit.house.signIn()
        let bert = try await visit.house.signIn(try await visit.house.addPerson("bert"))
        for cookie in [second.cookie, bert.cookie] {
            let answer = try OAuthHouse.Answer(
                try await end(visit, ["id_token_hint": visit.hint], cookie: cookie))
            #expect(answer.address == "/sign-out")
            #expect(answer.parameters["continue"] != nil)
            let still = try OAuthHouse.Answer(
                try await visit.house.get(
                    "/authorize", visit.house.request("shop", ["prompt": "none"]),
                    cookie: cookie))
            #expect(still.parameters["code"] != nil)
        }
        #expect(try await isSignedIn(visit))
    }

    @Test("an expired hint of the current session still signs it out")
    func expiredHint() async throws {
        let visit = try await visit()
        visit.house.clock.advance(by: .minutes(90))
        let response = try await end(
            visit, ["id_token_hint": visit.hint, "post_logout_redirect_uri": Self.bye])
        #expect(response.headers[.location] == Self.bye)
        #expect(try await !isSignedIn(visit))
    }

    @Test(
        "without a session: an authenticated client gets its person back, others the provider's page"
    )
    func alreadySignedOut() async throws {
        let visit = try await visit()
        let proven = try await end(
            visit, ["id_token_hint": visit.hint, "post_logout_redirect_uri": Self.bye],
            cookie: "x=y")
        #expect(proven.headers[.location] == Self.bye)
        let bare = try await end(
            visit, ["client_id": "shop", "post_logout_redirect_uri": Self.bye], cookie: "x=y")
        #expect(bare.headers[.location] == "/sign-out?left=hint")
        let nothing = try await end(visit, ["client_id": "shop"], cookie: "x=y")
        #expect(nothing.headers[.location] == "/sign-out")
        let line = visit.house.log.lines.first { $0.message == "end-session request refused" }
        #expect(line?.metadata["client_id"] == "shop")
        #expect(line?.metadata["reason"]?.contains("id_token_hint") == true)
    }

    @Test("client_id must be registered, and be the audience of the hint")
    func clientMismatch() async throws {
        let visit = try await visit()
        for parameters in [
            ["id_token_hint": visit.hint, "client_id": "wiki"], ["client_id": "nobody"],
        ] {
            #expect(try await end(visit, parameters).status == .badRequest)
        }
        #expect(try await isSignedIn(visit))
    }

    @Test("an answer of another session leads nowhere")
    func foreignAnswer() async throws {
        let visit = try await visit()
        let answer = try OAuthHouse.Answer(
            try await end(visit, ["client_id": "shop", "post_logout_redirect_uri": Self.bye]))
        let handle = try #require(answer.parameters["continue"])
        let other = try await visit.house.signIn().signedIn
        let target = try await EndSessionEndpoint(visit.house.provider).finish(
            handle: handle, tenant: visit.house.tenant, facts: visit.house.facts,
            signedIn: other)
        #expect(target == nil)
    }
}
