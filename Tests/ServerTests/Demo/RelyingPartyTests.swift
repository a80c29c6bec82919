// SPDX-License-Identifier: Apache-2.0
import JOSE
import OAuth
import Primitives
import Support
import Testing

@testable import HTTPServer
@testable import SampleApps

/// A provider that answers as it is told, to see what the sample apps make of it.
private struct TellingProvider {
    static let issuer = "https://id.example"

    let key: PrivateJWK
    var published: PrivateJWK
    var claims: JSONObject
    var userInfo: JSONObject = JSONObject([.init(name: "sub", value: "anna")])
    var tokenStatus = 200

    init(nonce: String, now: Timestamp) throws {
        key = try PrivateJWK.generate(for: .es256)
        published = key
        claims = JSONObject([
            .init(name: "iss", value: .string(Self.issuer)), .init(name: "sub", value: "anna"),
            .init(name: "aud", value: "shop"), .init(name: "nonce", value: .string(nonce)),
            .init(name: "iat", value: .integer(now.seconds)),
            .init(name: "exp", value: .integer(now.seconds + 60)),
        ])
    }

    func answer(_ url: String) throws -> HTTPFetched {
        switch url.dropFirst(Self.issuer.count) {
        case "/.well-known/openid-configuration": return json(Self.metadata)
        case "/jwks": return json(["keys": [published.publicKey.json]])
        case "/token":
            let token = try JOSESigner(key).sign(payload: claims.bytes, typ: "JWT")
            return json(
                ["id_token": .string(String(decoding: token, as: UTF8.self)), "access_token": "a"],
                status: tokenStatus)
        case "/userinfo": return json(.object(userInfo))
        default: return HTTPFetched(status: 404, body: [])
        }
    }

    private static let metadata: JSONValue = [
        "authorization_endpoint": .string(issuer + "/authorize"),
        "token_endpoint": .string(issuer + "/token"), "jwks_uri": .string(issuer + "/jwks"),
        "userinfo_endpoint": .string(issuer + "/userinfo"),
        "end_session_endpoint": .string(issuer + "/end_session"),
    ]

    private func json(_ value: JSONValue, status: Int = 200) -> HTTPFetched {
        HTTPFetched(status: status, body: value.bytes)
    }
}

@Suite struct RelyingPartyTests {
    private let now = Timestamp(seconds: 1_800_000_000)

    private func party(_ provider: TellingProvider) -> OpenIDRelyingParty {
        OpenIDRelyingParty(
            registration: .init(
                issuer: TellingProvider.issuer, clientID: "shop", clientSecret: Secret("secret"),
                redirectURI: "https://shop.example/callback",
                postLogoutRedirectURI: "https://shop.example/"),
            fetch: { _, url, _, _ in try provider.answer(url) }, random: SeededRandom())
    }

    private func finish(
        _ query: String = "code=c&state=s&iss=https%3A%2F%2Fid.example",
        pending: OpenIDRelyingParty.Pending? = OpenIDRelyingParty.Pending(
            state: "s", nonce: "n", verifier: "v"),
        change: (inout TellingProvider) throws -> Void = { _ in }
    ) async throws -> OpenIDRelyingParty.Arrival {
        var provider = try TellingProvider(nonce: "n", now: now)
        try change(&provider)
        return try await party(provider).finish(
            FormParameters(Array(query.utf8)), pending: pending, now: now)
    }

    private func isRefused(
        _ query: String = "code=c&state=s&iss=https%3A%2F%2Fid.example",
        pending: OpenIDRelyingParty.Pending? = OpenIDRelyingParty.Pending(
            state: "s", nonce: "n", verifier: "v"),
        change: (inout TellingProvider) throws -> Void = { _ in }
    ) async -> Bool {
        do {
            _ = try await finish(query, pending: pending, change: change)
            return false
        } catch {
            return error is OpenIDRelyingParty.Refused
        }
    }

    @Test("A right answer becomes an arrival")
    func arrival() async throws {
        let arrival = try await finish()
        #expect(arrival.claims["sub"] == "anna" && arrival.userInfo["sub"] == "anna")
    }

    @Test("The request carries state, nonce and an S256 challenge, and each is new")
    func begin() async throws {
        let party = party(try TellingProvider(nonce: "n", now: now))
        let (location, pending) = try await party.begin()
        #expect(
            location.hasPrefix("https://id.example/authorize?response_type=code&client_id=shop"))
        #expect(location.contains("code_challenge=\(CodeChallenge.s256(of: pending.verifier))"))
        #expect(location.contains("code_challenge_method=S256"))
        #expect(try await party.begin().pending != pending)
    }

    @Test(
        "An answer that is not to this browser's request is refused",
        arguments: [
            "", "code=c", "code=c&state=x&iss=https%3A%2F%2Fid.example",
            "code=c&state=s", "code=c&state=s&iss=https%3A%2F%2Fevil.example",
            "state=s&iss=https%3A%2F%2Fid.example",
            "error=access_denied&state=s&iss=https%3A%2F%2Fid.example",
        ])
    func wrongAnswers(query: String) async {
        #expect(await isRefused(query))
    }

    @Test("An answer to no request at all is refused")
    func unasked() async {
        #expect(await isRefused(pending: nil))
    }

    @Test(
        "An ID token with a wrong claim is refused",
        arguments: [
            ("iss", .string("https://evil.example")), ("aud", "wiki"),
            ("aud", .array(["shop", "wiki"])), ("nonce", "other"), ("nonce", .null), ("exp", 1),
            ("sub", .null),
        ] as [(String, JSONValue)])
    func wrongClaims(name: String, value: JSONValue) async {
        #expect(await isRefused { $0.claims[name] = value })
    }

    @Test("An ID token that another key signed is refused")
    func wrongKey() async {
        #expect(await isRefused { $0.published = try PrivateJWK.generate(for: .es256) })
    }

    @Test("User info about another person is refused, and so is a refusal of the token endpoint")
    func wrongAnswersOfTheProvider() async {
        #expect(await isRefused { $0.userInfo["sub"] = "bob" })
        #expect(await isRefused { $0.tokenStatus = 400 })
    }

    @Test("Signing out names the session and where to come back")
    func signOut() async throws {
        let arrival = try await finish()
        let location = try await party(try TellingProvider(nonce: "n", now: now)).signOut(arrival)
        #expect(location.hasPrefix("https://id.example/end_session?id_token_hint="))
        #expect(location.contains("post_logout_redirect_uri=https%3A%2F%2Fshop.example%2F"))
    }
}
