// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Storage
import Support
import Testing

@testable import HTTPServer
@testable import WebPages

/// Who may hold our pages in a frame, and what changes there.
@Suite struct PagesFrameTests {
    private static let shop = "https://shop.example.net"
    private static let club = "https://club.example.org:8443"
    private static let frame: HTTPFields = [
        .accept: "text/html", .secFetchDest: "iframe", .secFetchSite: "cross-site",
    ]

    private func house(_ origins: [String] = [shop, club]) async throws -> PagesHouse {
        var policy = ProjectPolicy()
        policy.webauthn.topOrigins = origins
        return try await PagesHouse(policy: policy)
    }

    private func ancestors(_ answer: Answer) throws -> Substring {
        let policy = try #require(answer.response.headers[.contentSecurityPolicy])
        let start = try #require(policy.firstRange(of: "frame-ancestors ")).upperBound
        return policy[start...].prefix { $0 != ";" }
    }

    private func cookies(_ answer: Answer) -> [String] {
        answer.response.headers[values: .setCookie]
    }

    @Test(
        "only the project's top origins may frame the sign-in page, each in full")
    func signIn() async throws {
        var browser = try await house().browser()
        #expect(try ancestors(try await browser.get("/sign-in")) == "\(Self.shop) \(Self.club)")
        let refused = try await browser.submit("/sign-in", ["username": "x", "password": "y"])
        #expect(refused.status == .unprocessableContent)
        #expect(try ancestors(refused) == "\(Self.shop) \(Self.club)")
        var closed = try await house([]).browser()
        #expect(try ancestors(try await closed.get("/sign-in")) == "'none'")
    }

    @Test("Attack 5: no other page may be framed")
    func others() async throws {
        let house = try await house()
        var browser = house.browser()
        for path in ["/", "/register", "/recover", "/device"] {
            #expect(try ancestors(try await browser.get(path)) == "'none'", "\(path)")
        }
        browser = try await house.registered()
        for path in ["/account", "/sign-out", "/account/passkey", "/register/passkey"] {
            #expect(try ancestors(try await browser.get(path)) == "'none'", "\(path)")
        }
    }

    @Test("credentials are for the page itself; the one that can be held makes none")
    func permissions() async throws {
        var browser = try await house().browser()
        #expect(
            try await browser.get("/sign-in").response.headers[.permissionsPolicy]
                == "publickey-credentials-get=(self), publickey-credentials-create=()")
        #expect(
            try await browser.get("/register").response.headers[.permissionsPolicy]
                == "publickey-credentials-get=(self), publickey-credentials-create=(self)")
    }

    @Test("in a frame of another site cookies are kept for that site's frames, and stay strict")
    func cookies() async throws {
        var browser = try await house().browser()
        browser.isSecure = true
        let page = try await browser.send(.get, "/sign-in", headers: Self.frame, body: [])
        let set = cookies(page)
        #expect(!set.isEmpty)
        for cookie in set {
            #expect(cookie.hasPrefix("__Host-") && cookie.contains("; HttpOnly"))
            #expect(cookie.contains("; SameSite=None; Partitioned; Secure"))
        }
        // The mark goes along with forms, the script and the links to other languages.
        #expect(page.text.contains("name=\"framed\" value=\"1\""))
        #expect(page.text.contains("data-framed=\"1\""))
        #expect(page.text.contains("/sign-in?framed=1&amp;lang=de"))
    }

    @Test("a sign-in in the frame creates a session for the frame, by password and by passkey")
    func session() async throws {
        let house = try await house()
        _ = try await house.registered()
        var browser = house.browser()
        browser.isSecure = true
        _ = try await browser.send(.get, "/sign-in", headers: Self.frame, body: [])
        browser.fetchDestination = "iframe"
        let answer = try await browser.submit(
            "/sign-in",
            [
                "username": "anna", "password": "correct horse battery staple", "framed": "1",
            ])
        #expect(answer.status == .seeOther)
        let session = try #require(cookies(answer).first { $0.contains("gatehouse-session") })
        #expect(session.contains("SameSite=None; Partitioned"))
    }

    @Test(
        "a request without a frame, in a frame of an unlisted origin, or without TLS, is unchanged",
        arguments: [
            // Attack: a link that says that it is in a frame.
            ("/sign-in?framed=1", "document", "cross-site", true, true),
            ("/sign-in?framed=1", "document", "none", true, true),
            ("/sign-in", "iframe", "same-site", true, true),
            ("/sign-in", "iframe", "same-origin", true, true),
            ("/sign-in?framed=1", "iframe", "cross-site", false, true),
            ("/sign-in?framed=1", "iframe", "cross-site", true, false),
        ])
    func unframed(
        path: String, destination: String, site: String, isSecure: Bool, hasList: Bool
    ) async throws {
        var browser = try await house(hasList ? [Self.shop] : []).browser()
        browser.isSecure = isSecure
        let headers: HTTPFields = [
            .accept: "text/html", .secFetchDest: destination, .secFetchSite: site,
        ]
        let page = try await browser.send(.get, path, headers: headers, body: [])
        #expect(!cookies(page).isEmpty)
        #expect(cookies(page).allSatisfy { $0.contains("SameSite=Lax") })
        #expect(!page.text.contains("name=\"framed\""))
    }
}
