// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Primitives
import ProviderCore
import Storage
import Testing

@testable import HTTPServer
@testable import WebPages

/// What pages must never do.
@Suite struct PagesSafetyTests {
    private static let script = "<script>alert(1)</script>\"'>"

    @Test("Attack 7: names, addresses and typed text are escaped wherever they are shown")
    func escaped() async throws {
        let house = try await PagesHouse(theme: Theme(displayName: Self.script))
        var browser = try await house.registered("anna", name: Self.script)
        for path in ["/", "/account", "/sign-out", "/sign-in?next=account&again=1"] {
            let page = try await browser.get(path).text
            #expect(page.contains("&lt;script&gt;"), "\(path)")
            #expect(!page.contains("<script>"), "\(path)")
        }
        var stranger = house.browser()
        _ = try await stranger.get("/register")
        let typed = try await stranger.submit(
            "/register",
            ["username": Self.script, "name": Self.script, "email": Self.script, "password": "x"])
        #expect(!typed.text.contains("<script>") && typed.text.contains("&lt;script&gt;"))
    }

    @Test("Attack 7: text in the address is never shown as a message")
    func noReflection() async throws {
        let house = try await PagesHouse()
        var browser = try await house.registered()
        for path in [
            "/account?done=\(FormText.encode(Self.script))", "/account?done=pwned",
            "/sign-in?again=1&error=pwned&notice=pwned", "/?continue=%22%3E%3Cscript%3E",
        ] {
            let page = try await browser.get(path).text
            #expect(!page.contains("<script>") && !page.contains("role=\"alert\""), "\(path)")
        }
    }

    @Test("every page forbids inline script, foreign hosts and frames, and is not kept")
    func policy() async throws {
        let house = try await PagesHouse()
        var browser = try await house.registered()
        for path in ["/", "/account", "/sign-out", "/nowhere", "/admin/audit"] {
            let answer = try await browser.get(path)
            let policy = try #require(answer.response.headers[.contentSecurityPolicy])
            #expect(policy.contains("default-src 'none'") && policy.contains("script-src 'self'"))
            #expect(policy.contains("frame-ancestors 'none'") && policy.contains("base-uri 'none'"))
            #expect(policy.contains("form-action 'self';"))
            #expect(!policy.contains("unsafe") && !policy.contains("*"))
            #expect(answer.response.headers[.cacheControl] == "no-store")
            #expect(!answer.text.contains(" style=") && !answer.text.contains(" onclick="))
        }
    }

    @Test("cookies are HttpOnly, SameSite, and __Host- with Secure on https")
    func cookies() async throws {
        let house = try await PagesHouse()
        var browser = house.browser()
        let answer = try await browser.get("/sign-in")
        let cookie = try #require(answer.response.headers[.setCookie])
        #expect(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"))
        let names = SiteCookies(tenant: house.tenant, isSecure: true)
        #expect(names.session == "__Host-gatehouse-session")
        var other = house.project
        other.name = "qa"
        let neighbour = SiteCookies(
            tenant: Tenant(project: other, issuer: PagesHouse.issuer), isSecure: false)
        #expect(neighbour.session == "gatehouse-session-qa")
    }

    @Test("a form without its token, with another browser's, or from before a sign-in is refused")
    func tokens() async throws {
        let house = try await PagesHouse()
        let fields = ["username": "anna", "password": "correct horse battery staple"]
        var browser = house.browser()
        _ = try await browser.get("/sign-in")
        let mine = browser.formToken
        for token in ["", "x", String(mine.dropLast())] {
            var forged = fields
            forged["form_token"] = token
            #expect(try await browser.submit("/sign-in", forged).status == .forbidden)
        }
        var other = house.browser()
        _ = try await other.get("/sign-in")
        other.formToken = mine
        #expect(try await other.submit("/sign-in", fields).status == .forbidden)
        var member = try await house.registered()
        let before = browser.formToken
        _ = try await member.get("/account")
        member.formToken = before
        #expect(try await member.submit("/account/name", ["name": "Eve"]).status == .forbidden)
        #expect(try await house.person("anna").claims.name == "Anna Johnson")
    }

    @Test(
        "a form that another site sends is refused, token or not",
        arguments: ["cross-site", "same-site", "anything"])
    func crossSite(_ site: String) async throws {
        let house = try await PagesHouse()
        var browser = try await house.registered()
        _ = try await browser.get("/account")
        browser.fetchSite = site
        #expect(try await browser.submit("/account/name", ["name": "Eve"]).status == .forbidden)
        #expect(
            try await browser.post(json: "{}", to: "/webauthn/sign-in/options").status
                == .forbidden)
    }

    @Test("without fetch metadata the Origin must be ours")
    func origin() async throws {
        let house = try await PagesHouse()
        var browser = house.browser()
        for (origin, status) in [
            (PagesHouse.issuer, HTTPResponse.Status.ok), ("http://evil.example", .forbidden),
            ("null", .forbidden), ("http://localhost:9001", .forbidden),
        ] {
            let answer = try await browser.send(
                .post, "/webauthn/sign-in/options",
                headers: [.contentType: "application/json", .origin: origin], body: Array("{}".utf8)
            )
            #expect(answer.status == status, "\(origin)")
        }
    }

    @Test("a page never redirects to a URL from the request")
    func noOpenRedirect() async throws {
        let house = try await PagesHouse()
        _ = try await house.registered()
        for next in ["https://evil.example/", "//evil.example", "/evil", "javascript:alert(1)"] {
            var browser = house.browser()
            _ = try await browser.get("/sign-in?next=\(FormText.encode(next))")
            let answer = try await browser.submit(
                "/sign-in",
                ["username": "anna", "password": "correct horse battery staple", "next": next])
            #expect(answer.location == "/account")
        }
    }

    @Test("a theme's colours are colours or nothing")
    func theme() throws {
        #expect(ThemeStylesheet.css(for: Theme()) == nil)
        for wrong in ["red", "#fff", "#12345g", "#123456;}body{", "url(x)", "#1234567", ""] {
            #expect(ThemeStylesheet.css(for: Theme(accent: wrong, background: wrong)) == nil)
        }
        let css = try #require(ThemeStylesheet.css(for: Theme(accent: "#FFD400")))
        #expect(css.contains("--accent:#ffd400;--on-accent:#16181d"))
        #expect(ThemeStylesheet.Colour("#1f5f50")?.isDark == true)
    }

    @Test("assets are served with their type, an ETag, and permanently under their version")
    func assets() async throws {
        let house = try await PagesHouse(theme: Theme(accent: "#b3261e"))
        var browser = house.browser()
        let page = try await browser.get("/sign-in").text
        for name in ["gatehouse.css", "passkeys.js", "icon.svg", "theme.css"] {
            let start = try #require(page.firstRange(of: "/assets/\(name)?v="))
            let address = String(page[start.lowerBound...].prefix { $0 != "\"" })
            let answer = try await browser.get(address)
            #expect(answer.status == .ok && !answer.response.body.isEmpty)
            let kept = answer.response.headers[.cacheControl] ?? ""
            #expect(kept.contains("immutable"), "\(name)")
            let tag = try #require(answer.response.headers[.eTag])
            let again = try await browser.send(
                .get, "/assets/\(name)", headers: [.ifNoneMatch: tag], body: [])
            #expect(again.status == .notModified)
            #expect(again.response.headers[.cacheControl] == "no-cache")
        }
        for path in ["/assets/nothing.js", "/assets/..%2Ftranslations%2Fen.json"] {
            #expect(try await browser.get(path).status == .notFound)
        }
    }
}
