// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import HTTPTypes
import OAuth
import ProviderTokens
import Storage
import Testing

/// Where answers go, and where they never go.
@Suite("Redirects of the authorization endpoint")
struct RedirectTests {
    @Test(
        "Attack 5: ensure-registered-redirect-uri: a page, and no redirect",
        arguments: [
            "https://shop.example.com/callback?x=1", "https://shop.example.com/callback#f",
            "https://anna@shop.example.com/callback", "https://shop.example.com/a/../callback",
            "https://shop.example.com/callback/", "https://shop.example.com//callback",
            "https://shop.example.com/%63allback", "https://shop.example.com%2Fcallback",
            "https://SHOP.example.com/callback", "https://shop.example.com./callback",
            "https://shop.example.com:443/callback", "https://shop.example.com:8443/callback",
            "https://shop.example.com.evil.tld/callback", "https://evil.tld/callback",
            "http://shop.example.com/callback", "//shop.example.com/callback", "/callback",
            "https://shop.example.com\\@evil.tld/callback", "javascript:alert(1)",
            "data:text/html,x", "https://shopxexample.com/callback", "https://*/callback",
            "https://shop.example.com/callback%00", " https://shop.example.com/callback",
        ])
    func unregistered(uri: String) async throws {
        let house = try await OAuthHouse()
        for mode in ["query", "fragment", "form_post"] {
            let response = try await house.get(
                "/authorize",
                house.request("shop", ["redirect_uri": uri, "response_mode": mode]),
                cookie: try await house.signIn().cookie)
            #expect(response.status == .badRequest)
            #expect(response.headers[.location] == nil)
            #expect(!String(decoding: response.body, as: UTF8.self).contains("evil"))
        }
    }

    @Test(
        "Attack 6: addresses that run code are never used, even when someone registered them",
        arguments: ["javascript:alert(1)", "data:text/html,x", "http://shop.example.com/callback"])
    func dangerousRegistered(uri: String) async throws {
        let house = try await OAuthHouse()
        try await house.change(client: "shop") { $0.metadata.redirectURIs = [uri] }
        let changes: [[String: String?]] = [
            ["redirect_uri": uri], ["redirect_uri": nil],
            ["redirect_uri": uri, "response_mode": "form_post"],
            ["redirect_uri": uri, "response_mode": "form_post", "scope": "nonsense"],
        ]
        for change in changes {
            let response = try await house.get(
                "/authorize", house.request("shop", change),
                cookie: try await house.signIn().cookie)
            #expect(response.status == .badRequest)
            #expect(response.headers[.location] == nil)
            #expect(!String(decoding: response.body, as: UTF8.self).contains(uri))
        }
    }

    @Test("redirect_uri may be left out when one is registered, not when there are two")
    func leftOut() async throws {
        let house = try await OAuthHouse()
        let cookie = try await house.signIn().cookie
        let code = try await house.code(cookie: cookie, ["redirect_uri": nil])
        #expect(try await house.redeem(code, ["redirect_uri": nil]).status == .ok)
        try await house.change(client: "shop") {
            $0.metadata.redirectURIs.append("https://shop.example.com/other")
        }
        let response = try await house.get(
            "/authorize", house.request("shop", ["redirect_uri": nil]), cookie: cookie)
        #expect(response.status == .badRequest)
    }

    @Test("Attack 44: the port of a loopback address is free, and nothing else of it")
    func loopback() async throws {
        let house = try await OAuthHouse()
        let cookie = try await house.signIn().cookie
        let parameters = house.request("gatehouse-cli", ["redirect_uri": nil])
        func answer(_ uri: String) async throws -> ServerResponse {
            var parameters = parameters
            parameters["redirect_uri"] = uri
            return try await house.get("/authorize", parameters, cookie: cookie)
        }
        for uri in ["http://127.0.0.1:53912/callback", "http://[::1]:1/callback"] {
            #expect(try await answer(uri).status == .seeOther)
        }
        for uri in [
            "http://localhost:53912/callback", "http://127.0.0.1:53912/callback/",
            "http://127.0.0.1:99999/callback", "http://127.0.0.2:53912/callback",
            "https://127.0.0.1:53912/callback", "http://127.0.0.1.evil.tld:1/callback",
            "http://127.0.0.1:1@evil.tld/callback", "http://127.0.0.1:53912/callback?x=1",
            "http://0.0.0.0:1/callback", "http://127.0.0.1:/callback",
        ] {
            #expect(try await answer(uri).status == .badRequest, "\(uri)")
        }
    }

    @Test("unknown and disabled clients get a page", arguments: ["nobody", "", "shop"])
    func unknownClient(clientID: String) async throws {
        let house = try await OAuthHouse()
        try await house.change(client: "shop") { $0.disabled = true }
        let response = try await house.get("/authorize", house.request(clientID))
        #expect(response.status == .badRequest)
        #expect(response.headers[.location] == nil)
    }

    @Test("a client of another project is unknown here")
    func otherProject() async throws {
        let house = try await OAuthHouse()
        let other = try await house.addProject("other")
        try await house.addClient("foreign", in: other)
        let here = try await house.get("/authorize", house.request("foreign"))
        #expect(here.status == .badRequest)
        let there = try await house.get("/p/other/authorize", house.request("foreign"))
        #expect(there.headers[.location]?.hasPrefix("/p/other/sign-in?continue=") == true)
    }

    @Test("a registered query is kept, and the answer joins it")
    func registeredQuery() async throws {
        let house = try await OAuthHouse()
        let uri = OAuthHouse.redirectURI + "?foo=bar"
        try await house.change(client: "shop") { $0.metadata.redirectURIs = [uri] }
        let response = try await house.get(
            "/authorize", house.request("shop", ["redirect_uri": uri]),
            cookie: try await house.signIn().cookie)
        #expect(response.headers[.location]?.hasPrefix(uri + "&code=") == true)
    }

    @Test("303, never 307; no cross-origin reading of the authorization endpoint")
    func redirectStatus() async throws {
        let house = try await OAuthHouse()
        let response = try await house.post(
            "/authorize", house.request(), cookie: try await house.signIn().cookie)
        #expect(response.status == .seeOther)
        #expect(response.headers[.accessControlAllowOrigin] == nil)
    }

    @Test("Attack 42: no implicit grant; a fragment has the error behind the number sign")
    func fragment() async throws {
        let house = try await OAuthHouse()
        let answer = try OAuthHouse.Answer(
            try await house.get(
                "/authorize",
                house.request("shop", ["response_mode": "fragment", "response_type": "token"])),
            separator: "#")
        #expect(answer.address == OAuthHouse.redirectURI)
        #expect(answer.parameters["error"] == "unsupported_response_type")
        #expect(answer.parameters["iss"] == OAuthHouse.issuer)
    }

    @Test("Attack 8: form_post: a button, our script, escaped values and one allowed target")
    func formPost() async throws {
        let house = try await OAuthHouse()
        let state = #""><script>alert(1)</script>&'"#
        let response = try await house.get(
            "/authorize",
            house.request("shop", ["response_mode": "form_post", "state": state]),
            cookie: try await house.signIn().cookie)
        let page = String(decoding: response.body, as: UTF8.self)
        #expect(response.status == .ok)
        #expect(page.contains(#"<form method="post" action="https://shop.example.com/callback">"#))
        #expect(page.contains(#"name="code""#))
        #expect(page.contains("<button"))
        #expect(page.contains(#"src="/assets/form-post.js""#))
        #expect(!page.contains("<script>"))
        #expect(page.contains("&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;&#39;"))
        let policy = response.headers[.contentSecurityPolicy]
        #expect(policy?.contains("form-action https://shop.example.com") == true)
        #expect(policy?.contains("unsafe-inline") == false)
    }

    @Test(
        "form_post speaks the reader's language, or the one that the client asked for",
        arguments: [(nil, "de", "Weiter"), ("en", "de", "Continue"), (nil, "", "Continue")]
            as [(String?, String, String)])
    func formPostLanguage(asked: String?, kept: String, word: String) async throws {
        let house = try await OAuthHouse()
        let response = try await house.get(
            "/authorize",
            house.request("shop", ["response_mode": "form_post", "ui_locales": asked]),
            cookie: try await house.signIn().cookie + "; gatehouse-language=\(kept)")
        let page = String(decoding: response.body, as: UTF8.self)
        #expect(page.contains("<button type=\"submit\">\(word)</button>"))
        #expect(page.contains("<html lang=\"\(word == "Weiter" ? "de" : "en")\">"))
    }

    @Test("form_post carries errors the same way")
    func formPostError() async throws {
        let house = try await OAuthHouse()
        let response = try await house.get(
            "/authorize",
            house.request("shop", ["response_mode": "form_post", "prompt": "none"]))
        let page = String(decoding: response.body, as: UTF8.self)
        #expect(page.contains(#"value="login_required""#))
        #expect(page.contains(#"name="iss""#))
    }

    @Test("an unknown response_mode is invalid_request, in the query")
    func unknownMode() async throws {
        let house = try await OAuthHouse()
        let answer = try OAuthHouse.Answer(
            try await house.get(
                "/authorize", house.request("shop", ["response_mode": "web_message"])))
        #expect(answer.parameters["error"] == "invalid_request")
    }

    @Test("state and nonce come back whole, or the request is refused: never cut")
    func longState() async throws {
        let house = try await OAuthHouse()
        let cookie = try await house.signIn().cookie
        let long = String(repeating: "s", count: 4000)
        let kept = try OAuthHouse.Answer(
            try await house.get(
                "/authorize", house.request("shop", ["state": long]), cookie: cookie))
        #expect(kept.parameters["state"] == long)
        let asked = try OAuthHouse.Answer(
            try await house.get("/authorize", house.request("shop", ["state": long])))
        let handle = try #require(asked.parameters["continue"])
        let step = try await AuthorizationEndpoint(house.provider).resume(
            handle: handle, tenant: house.tenant, facts: house.facts,
            signedIn: try await house.signIn().signedIn)
        guard case .answer(let answer) = step else {
            Issue.record("no answer")
            return
        }
        #expect(answer["state"] == long)
        let refused = try OAuthHouse.Answer(
            try await house.get(
                "/authorize",
                house.request("shop", ["nonce": String(repeating: "n", count: 1025)]),
                cookie: cookie))
        #expect(refused.parameters["error"] == "invalid_request")
    }

    @Test("no state in, no state out")
    func noState() async throws {
        let house = try await OAuthHouse()
        let answer = try OAuthHouse.Answer(
            try await house.get(
                "/authorize", house.request("shop", ["state": nil]),
                cookie: try await house.signIn().cookie))
        #expect(answer.parameters["state"] == nil)
    }

    @Test("repeated parameters are refused on a page")
    func repeated() async throws {
        let house = try await OAuthHouse()
        let query = OAuthHouse.encode(house.request()) + "&client_id=shop"
        let response = try await house.get("/authorize?" + query)
        #expect(response.status == .badRequest)
        #expect(response.headers[.location] == nil)
    }
}
