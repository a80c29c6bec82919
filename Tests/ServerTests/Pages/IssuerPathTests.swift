// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import JOSE
import Primitives
import ProviderCore
import Storage
import Support
import Testing

@testable import HTTPServer
@testable import WebPages

/// A provider at `https://h.example/auth`, which shares its host with others.
@Suite struct IssuerPathTests {
    /// The prefix of every path of the default project, and of another.
    private static let places = ["/auth", "/auth/p/qa"]

    private static func issuer(_ place: String) -> String { "https://h.example" + place }

    @Test("documents are found below the path and after the well-known name", arguments: places)
    func discovery(_ place: String) async throws {
        let house = try await IssuerPathHouse()
        var app = house.browser()
        for name in ["openid-configuration", "oauth-authorization-server", "gatehouse"] {
            let below = try await app.get("\(place)/.well-known/\(name)")
            let inserted = try await app.get("/.well-known/\(name)\(place)")
            #expect(below.status == .ok && below.response.body == inserted.response.body)
            #expect(
                try IssuerPathHouse.json(below)["issuer"]?.string == Self.issuer(place), "\(name)")
        }
        let answer = try await app.get("\(place)/.well-known/openid-configuration")
        let document = try IssuerPathHouse.json(answer)
        let names = document.names.filter { $0.hasSuffix("_endpoint") || $0 == "jwks_uri" }
        for name in names {
            let address = try #require(document[name]?.string)
            #expect(address.hasPrefix(Self.issuer(place) + "/"))
            let path = String(address.dropFirst("https://h.example".count))
            #expect(try await app.get(path).status != .notFound, "\(name)")
        }
    }

    @Test(
        "documents and profile of Platform SSO name addresses below the path; those of the host are not",
        arguments: places)
    func platformSSO(_ place: String) async throws {
        let house = try await IssuerPathHouse()
        var app = house.browser()
        let document = try IssuerPathHouse.json(
            try await app.get(place + "/.well-known/gatehouse"))
        let addresses = try #require(document["platform_sso"]?.object)
        for member in addresses.members where member.name != "app_association" {
            #expect(
                member.value.string?.hasPrefix(Self.issuer(place) + "/platform-sso/") == true,
                "\(member.name)")
        }
        let association = "https://h.example/.well-known/apple-app-site-association"
        #expect(addresses["app_association"]?.string == association)
        #expect(
            document["webauthn"]?["related_origins"]?.string
                == "https://h.example/.well-known/webauthn")
        #expect(try await app.get(place + "/platform-sso/jwks").status == .ok)
        let setUp = try IssuerPathHouse.json(try await app.get(place + "/platform-sso/setup"))
        let profile = Self.issuer(place) + "/platform-sso/setup/profile"
        #expect(setUp["details"]?["ProfileURL"]?.string == profile)
        let text = try await app.get(place + "/platform-sso/setup/profile").text
        #expect(text.contains("<string>\(Self.issuer(place))</string>"))
        #expect(text.contains("authsrv:h.example"))
        let signIn = try await app.get(place + "/platform-sso/setup/sign-in")
        #expect(signIn.location?.hasPrefix(place + "/sign-in?continue=") == true)
    }

    @Test(
        "what systems and monitors look for at the host is there, and below the path",
        arguments: [
            "/.well-known/webauthn", "/.well-known/apple-app-site-association", "/health/live",
            "/metrics",
        ])
    func host(_ path: String) async throws {
        let house = try await IssuerPathHouse()
        var app = house.browser()
        #expect(try await app.get(path).status == .ok)
        #expect(try await app.get("/auth" + path).status == .ok)
    }

    @Test(
        "nothing else is answered outside of the path",
        arguments: [
            "/", "/token", "/jwks", "/userinfo", "/sign-in", "/console", "/admin/v1/projects",
            "/assets/gatehouse.css", "/authx/sign-in", "/p/qa/sign-in", "/p/qa/jwks",
            "/.well-known/openid-configuration", "/.well-known/openid-configuration/p/qa",
            "//auth/sign-in", "/auth/../sign-in", "/auth/p/default/jwks",
        ])
    func outside(_ path: String) async throws {
        let house = try await IssuerPathHouse()
        var browser = house.browser()
        #expect(try await browser.get(path).status == .notFound)
    }

    @Test("a person signs in for an app, and out again", arguments: places)
    func flow(_ place: String) async throws {
        let house = try await IssuerPathHouse()
        _ = try await house.registered("anna", at: place)
        var browser = house.browser()
        let asked = try await browser.get(place + IssuerPathHouse.request())
        let signIn = try #require(asked.location)
        #expect(signIn.hasPrefix(place + "/sign-in?continue="))
        let page = try await browser.get(signIn)
        #expect(page.text.contains("action=\"\(place)/sign-in\""))
        let handle = try #require(OAuthHouse.Answer(asked.response).parameters["continue"])
        let onward = try await browser.submit(
            place + "/sign-in",
            ["username": "anna", "password": IssuerPathHouse.password, "continue": handle])
        #expect(onward.location?.hasPrefix(place + "/continue?continue=") == true)
        let answer = try await browser.get(try #require(onward.location))
        let parameters = try OAuthHouse.Answer(answer.response).parameters
        #expect(parameters["iss"] == Self.issuer(place))
        let tokens = try await house.tokens(
            for: try #require(parameters["code"]), at: place)
        let hint = try #require(tokens["id_token"]?.string)
        #expect(try IssuerPathHouse.claims(of: hint)["iss"]?.string == Self.issuer(place))
        var app = house.browser()
        let info = try await app.send(
            .get, place + "/userinfo",
            headers: [
                .authorization: "Bearer " + (tokens["access_token"]?.string ?? "")
            ], body: [])
        #expect(info.status == .ok)
        let out = try await browser.get(place + "/end_session?id_token_hint=" + hint)
        #expect(out.location == place + "/sign-out")
        #expect(
            try await browser.get(place + "/account").location == place + "/sign-in?next=account")
    }

    @Test("every address of every page is below the path", arguments: places)
    func pages(_ place: String) async throws {
        let house = try await IssuerPathHouse()
        var browser = try await house.registered("anna", at: place)
        for path in [
            "", "/account", "/account/passkey", "/sign-out", "/device", "/nowhere",
            IssuerPathHouse.request(["response_mode": "form_post"]),
        ] {
            let addresses = try await browser.get(place + path).addresses
            #expect(!addresses.isEmpty, "\(path)")
            for address in addresses {
                #expect(
                    address == place || address.hasPrefix(place + "/"), "\(path): \(address)")
            }
        }
        var stranger = house.browser()
        for path in ["/", "/sign-in", "/register", "/recover"] {
            let page = try await stranger.get(place + path)
            #expect(page.addresses.allSatisfy { $0.hasPrefix(place) }, "\(path)")
            for address in page.addresses where address.contains("/assets/") {
                #expect(try await stranger.get(address).status == .ok, "\(address)")
            }
        }
    }

    // MARK: Administrators

    @Test("a form of the console works, and a sign-in leads back to the page that was asked for")
    func console() async throws {
        let house = try await IssuerPathHouse()
        var browser = try await house.registered("olga", at: "/auth")
        let outcome = try await house.pages.provider.store.administrators.assign(
            Administrator(
                id: Identifier(now: house.pages.clock.now, random: house.pages.random),
                person: house.pages.person("olga").id, project: nil, role: .owner,
                createdAt: house.pages.clock.now))
        #expect(outcome == .assigned)
        let page = try await browser.get("/auth/console")
        #expect(page.status == .ok && page.addresses.contains("/auth/console/create"))
        #expect(page.addresses.allSatisfy { $0.hasPrefix("/auth/") })
        let made = try await browser.submit(
            "/auth/console/create", ["name": "made", "environment": "development"])
        #expect(made.location == "/auth/console/projects/made?done=projectCreated")
        let project = try await browser.get("/auth/console/projects/made")
        #expect(project.text.contains("https://h.example/auth/p/made"))
        #expect(project.addresses.allSatisfy { $0.hasPrefix("/auth/") })

        var again = house.browser()
        let people = "/auth/console/projects/qa/people"
        #expect(try await again.get(people).location == "/auth/sign-in?next=console")
        _ = try await again.get("/auth/sign-in?next=console")
        let entered = try await again.submit(
            "/auth/sign-in",
            ["username": "olga", "password": IssuerPathHouse.password, "next": "console"])
        #expect(entered.location == "/auth/console")
        #expect(try await again.get("/auth/console").location == people)
        _ = try await again.get("/auth/sign-out")
        #expect(try await again.submit("/auth/sign-out", [:]).status == .ok)
        #expect(try await again.get("/auth/console").location == "/auth/sign-in?next=console")
    }

    @Test("the Admin API and its description are below the path")
    func adminAPI() async throws {
        let house = try await IssuerPathHouse()
        var app = house.browser()
        let list = try await app.send(
            .get, "/auth/admin/v1/projects", headers: [.authorization: "Bearer gha_test"],
            body: [])
        #expect(list.status == .ok)
        let document = try IssuerPathHouse.json(try await app.get("/auth/admin/v1/openapi.json"))
        #expect(document["servers"]?.array?.first?["url"]?.string == "/auth/admin/v1")
    }

    // MARK: Cookies

    @Test("cookies bear the path in their name, and are of the whole host as __Host- demands")
    func cookies() async throws {
        let house = try await IssuerPathHouse()
        let browser = try await house.registered("anna", at: "/auth/p/qa")
        #expect(!browser.cookies.isEmpty)
        for name in browser.cookies.keys {
            #expect(name.hasPrefix("__Host-gatehouse-") && name.hasSuffix("-qa!auth"), "\(name)")
        }
        var other = house.browser()
        let page = try await other.get("/auth/sign-in")
        for cookie in page.response.headers[values: .setCookie] {
            #expect(cookie.contains("; Path=/; ") && cookie.contains("Secure"), "\(cookie)")
        }
    }

    @Test("two providers on one host never share a cookie, whatever their paths and projects are")
    func sharedHost() async throws {
        let house = try await IssuerPathHouse()
        var seen: Set<String> = []
        for base in ["", "/auth", "/auth-qa", "/auth/qa", "/p/qa", "/qa"] {
            for name in ["default", "qa", "auth", "auth-qa"] {
                var project = house.pages.project
                project.name = name
                let names = SiteCookies(
                    tenant: Tenant(project: project, issuer: "https://h.example" + base),
                    isSecure: true)
                #expect(seen.insert(names.session).inserted, "\(base) \(name)")
                #expect(seen.insert(names.upstream).inserted)
            }
        }
    }
}
