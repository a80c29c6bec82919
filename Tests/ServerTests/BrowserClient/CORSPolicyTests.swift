// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import HTTPTypes
import JOSE
import OAuth
import Storage
import Support
import Testing

/// Which pages may ask what apps ask: those of the origins of the client's redirect URIs.
@Suite("Pages of other origins") struct CORSPolicyTests {
    private let house: OAuthHouse
    private static let own = "https://shop.example.com"

    init() async throws {
        house = try await OAuthHouse()
        try await house.addClient("spa") {
            $0.secretHash = nil
            $0.metadata.tokenEndpointAuthMethod = "none"
            $0.metadata.redirectURIs = [
                Self.own + "/callback", "https://Port.example.com:443/", "com.example.app:/back",
            ]
        }
    }

    private func post(
        _ path: String, from origin: String?, client: String? = "spa"
    ) async throws -> ServerResponse {
        var form = ["grant_type": "refresh_token", "refresh_token": "of-nobody", "token": "x"]
        form["client_id"] = client
        var headers: HTTPFields = [:]
        headers[.origin] = origin
        return try await house.post(path, form, headers: headers)
    }

    private func preflight(
        _ path: String, _ method: String = "POST", from origin: String = own
    ) async throws -> ServerResponse {
        try await house.send(
            .options, path,
            headers: [.origin: origin, .accessControlRequestMethod: method])
    }

    private func code(_ response: ServerResponse) throws -> String? {
        try JSONParser.parseObject(response.body, maximumBytes: 65_536)["code"]?.string
    }

    @Test(
        "A page of the client's origin may, and is told so, also when it is refused",
        arguments: ["/token", "/revoke"])
    func own(path: String) async throws {
        for origin in [Self.own, "https://port.example.com"] {
            let response = try await post(path, from: origin)
            #expect(response.status != .forbidden)
            #expect(response.headers[.accessControlAllowOrigin] == origin)
            #expect(response.headers[.vary] == "Origin")
            let exposed = response.headers[.accessControlExposeHeaders] ?? ""
            #expect(exposed.contains("Retry-After") && exposed.contains("Date"))
        }
    }

    @Test(
        "Attack 44: pages of every other origin are refused, however similar",
        arguments: [
            "https://evil.example", "http://shop.example.com", "https://shop.example.com:8443",
            "https://shop.example.com.evil.example", "https://a.shop.example.com",
            "https://shop.example.com/", "HTTPS://SHOP.EXAMPLE.COM", "null", "", "com.example.app:",
        ])
    func strangers(origin: String) async throws {
        for path in ["/token", "/revoke"] {
            let response = try await post(path, from: origin)
            #expect(response.status == .forbidden)
            #expect(try code(response) == "origin_not_registered")
            #expect(response.headers[.accessControlAllowOrigin] == nil)
        }
        let asked = try await house.send(
            .post, "/registration/sign-in/challenge?client_id=spa", headers: [.origin: origin])
        #expect(asked.status == .forbidden)
        let before = try await preflight("/registration?client_id=spa", from: origin)
        #expect(before.headers[.accessControlAllowOrigin] == nil)
    }

    @Test("A page names no client, one that is not there, or one that is disabled: no")
    func clients() async throws {
        #expect(try await post("/token", from: Self.own, client: nil).status == .forbidden)
        #expect(try await post("/token", from: Self.own, client: "ghost").status == .forbidden)
        try await house.change(client: "spa") { $0.disabled = true }
        #expect(try await post("/token", from: Self.own).status == .forbidden)
    }

    @Test("A page of one client cannot act for another by sending that client's id")
    func twoNames() async throws {
        try await house.addClient("other") {
            $0.metadata.redirectURIs = ["https://other.example.com/"]
        }
        let response = try await post("/token?client_id=spa", from: Self.own, client: "other")
        #expect(response.status == .forbidden)
        let twice = try await house.send(
            .post, "/registration/sign-in/challenge?client_id=spa&client_id=other",
            headers: [.origin: Self.own])
        #expect(twice.status == .forbidden)
    }

    @Test("A code is not consumed by a page of a forbidden origin")
    func codeStays() async throws {
        let cookie = try await house.signIn().cookie
        let answer = try OAuthHouse.Answer(
            try await house.get("/authorize", house.request("spa"), cookie: cookie))
        let form = [
            "grant_type": "authorization_code", "code": answer.parameters["code"] ?? "",
            "redirect_uri": OAuthHouse.redirectURI, "code_verifier": OAuthHouse.verifier,
            "client_id": "spa",
        ]
        let stranger = try await house.post(
            "/token", form, headers: [.origin: "https://evil.example"])
        #expect(stranger.status == .forbidden)
        let own = try await house.post("/token", form, headers: [.origin: Self.own])
        #expect(own.status == .ok)
    }

    @Test("Programs that are no browser, and our own pages, are not held up")
    func others() async throws {
        #expect(try await post("/token", from: nil).status == .badRequest)
        let ours = try await post("/token", from: OAuthHouse.issuer, client: nil)
        #expect(try code(ours) != "origin_not_registered")
        let without = try await house.send(.post, "/registration/sign-in/challenge")
        #expect(without.status == .ok && without.headers[.vary] == nil)
    }

    @Test("A preflight says what may be sent, for addresses with names in them as well")
    func preflights() async throws {
        for (path, method) in [
            ("/registration?client_id=spa", "POST"), ("/token", "POST"),
            ("/registration/installations/current?client_id=spa", "DELETE"),
        ] {
            let response = try await preflight(path, method)
            #expect(response.status == .noContent)
            #expect(response.headers[.accessControlAllowOrigin] == Self.own)
            #expect(response.headers[.accessControlAllowMethods]?.contains(method) == true)
            let headers = response.headers[.accessControlAllowHeaders] ?? ""
            #expect(headers.contains("Gatehouse-Application") && headers.contains("DPoP"))
            #expect(response.headers[.vary] == "Origin")
        }
        let pages = try await preflight("/introspect")
        #expect(pages.headers[.accessControlAllowOrigin] == nil)
    }

    @Test("What is public, or opened by a token alone, stays open to all")
    func open() async throws {
        for path in ["/.well-known/openid-configuration", "/jwks", "/userinfo"] {
            let response = try await house.get(path, headers: [.origin: "https://evil.example"])
            #expect(response.headers[.accessControlAllowOrigin] == "*")
        }
    }
}
