// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import JOSE
import Primitives
import ProviderCore
import ProviderTokens
import Storage
import Support
import Testing

@testable import HTTPServer

/// Clients, keys, tokens and themes in the console.
@Suite struct ConsoleThingsTests {
    private let root = "/console/projects/default"

    @Test("a client is made once, its secret shown once; it is changed, disabled and removed")
    func clients() async throws {
        let house = try await ConsoleHouse()
        var browser = try await house.administrator(.projectAdministrator, in: house.home)
        let fields = [
            "client_id": "shop", "client_name": "Shop",
            "token_endpoint_auth_method": "client_secret_basic",
            "redirect_uris": "https://shop.example/cb\r\n\r\n https://shop.example/two ",
        ]
        let made = try await browser.submit(root + "/clients/create", fields)
        #expect(made.status == .ok && made.text.contains("client_secret"))
        let shop = try #require(
            try await house.store.clients.client(clientID: "shop", in: house.home.id))
        #expect(shop.secretHash != nil)
        #expect(
            shop.metadata.redirectURIs == ["https://shop.example/cb", "https://shop.example/two"])
        // Again is refused, and changes no secret.
        let again = try await browser.submit(root + "/clients/create", fields)
        #expect(again.status == .conflict && again.text.contains("exists"))
        #expect(
            try await house.store.clients.client(clientID: "shop", in: house.home.id)?.secretHash
                == shop.secretHash)
        _ = try await browser.get(root + "/clients/shop")
        let bad = try await browser.submit(
            root + "/clients/shop/change", ["client_name": "Shop", "redirect_uris": "nonsense"])
        #expect(bad.status == .unprocessableContent)
        let renamed = try await browser.submit(
            root + "/clients/shop/change",
            ["client_name": "The Shop", "redirect_uris": "https://shop.example/cb"])
        #expect(renamed.location == root + "/clients/shop?done=saved")
        _ = try await browser.submit(root + "/clients/shop/disable", [:])
        #expect(
            try await house.store.clients.client(clientID: "shop", in: house.home.id)?.disabled
                == true)
        _ = try await browser.submit(root + "/clients/shop/enable", [:])
        let page = try await browser.get(root + "/clients/shop/remove")
        _ = try await browser.submit(
            root + "/clients/shop/remove",
            ["seal": try house.seal(page), "confirmation": "shop"])
        #expect(try await house.store.clients.client(clientID: "shop", in: house.home.id) == nil)
    }

    @Test("a project of a name that is there is not made: it stays as it is, and that is said")
    func projectAgain() async throws {
        let house = try await ConsoleHouse()
        var browser = try await house.administrator(.owner)
        let before = try #require(try await house.store.projects.project(named: "qa"))
        for environment in Project.Environment.allCases {
            let answer = try await browser.submit(
                "/console/create", ["name": "qa", "environment": environment.rawValue])
            #expect(answer.status == .conflict)
            #expect(answer.text.contains("A project with this name already exists."))
        }
        #expect(try await house.store.projects.project(named: "qa") == before)
    }

    @Test("a new client may request identity claims; a forbidden scope is refused with a sentence")
    func scopes() async throws {
        let house = try await ConsoleHouse()
        var browser = try await house.administrator(.owner)
        _ = try await browser.submit(
            "\(root)/clients/create",
            [
                "client_id": "grafana", "token_endpoint_auth_method": "client_secret_basic",
                "redirect_uris": "https://grafana.example/login/generic_oauth",
            ])
        let made = try #require(
            try await house.store.clients.client(clientID: "grafana", in: house.home.id))
        #expect(made.metadata.scope == "openid profile email")
        #expect(made.metadata.idTokenSignedResponseAlg == "RS256")
        let path = "\(root)/clients/grafana/change"
        let refused = try await browser.submit(path, ["scope": "openid registration"])
        #expect(refused.text.contains("manages_accounts"))
        let access = #"{"groups":["staff"]}"#
        _ = try await browser.submit(path, ["access": access, "required_acr": "phr"])
        let restricted = try #require(
            try await house.store.clients.client(clientID: "grafana", in: house.home.id))
        #expect(restricted.metadata.access == access)
        #expect(restricted.metadata.requiredContextClass == "phr")
        #expect(restricted.metadata.scope == "openid profile email")
    }

    @Test("changing, disabling and enabling a client leave everything else as it was")
    func untouched() async throws {
        let house = try await ConsoleHouse()
        var shop = try await house.client("shop")
        shop.metadata.grantTypes = ["authorization_code", "refresh_token"]
        shop.metadata.scope = "openid profile offline_access"
        shop.metadata.firstParty = true
        shop.metadata.postLogoutRedirectURIs = ["https://shop.example/bye"]
        #expect(try await house.store.clients.save(shop, now: house.pages.clock.now))
        var browser = try await house.administrator(.owner)
        func kept() async throws -> Client {
            try #require(try await house.store.clients.client(clientID: "shop", in: house.home.id))
        }
        for (act, isDisabled) in [("disable", true), ("enable", false)] {
            let answer = try await browser.submit("\(root)/clients/shop/\(act)", [:])
            #expect(answer.location == "\(root)/clients/shop?done=\(act)d")
            shop.disabled = isDisabled
            #expect(try await kept() == shop)
        }
        _ = try await browser.submit(
            root + "/clients/shop/change",
            [
                "client_name": "Renamed", "redirect_uris": "https://shop.example/callback",
                "post_logout_redirect_uris": "https://shop.example/bye", "first_party": "1",
            ])
        shop.metadata.clientName = "Renamed"
        #expect(try await kept() == shop)
    }

    @Test("an app's client gives the file that the SDK reads; one with a secret gives none")
    func appConfiguration() async throws {
        let house = try await ConsoleHouse()
        var browser = try await house.administrator(.auditor, in: house.home)
        let mark = "data:application/json;base64,"
        var shop = try await house.client("shop")
        let secretive = try await browser.get(root + "/clients/shop").text
        #expect(secretive.contains("The shop") && !secretive.contains(mark))
        shop.metadata.tokenEndpointAuthMethod = "none"
        shop.metadata.redirectURIs = ["http://127.0.0.1/callback", "com.example.shop:/callback"]
        #expect(try await house.store.clients.save(shop, now: house.pages.clock.now))
        house.pages.provider.clients.invalidate()
        let text = try await browser.get(root + "/clients/shop").text
        let start = try #require(text.firstRange(of: mark)).upperBound
        let file = try #require(Base64.decode(String(text[start...].prefix { $0 != "\"" })))
        let known = try JSONParser.parseObject(file, maximumBytes: 4096)
        #expect(known.names == ["issuer", "client_id", "redirect_uri"])
        #expect(known["issuer"]?.string == house.pages.provider.issuer)
        #expect(known["client_id"]?.string == "shop")
        #expect(known["redirect_uri"]?.string == "com.example.shop:/callback")
    }

    @Test("a test key is downloaded once, shows its owner, and a developer revokes only their own")
    func testKeys() async throws {
        let house = try await ConsoleHouse()
        var olga = try await house.administrator(.developer, in: house.home)
        let made = try await olga.submit(
            root + "/test-keys/create", ["name": "ci", "alg": "ES256"])
        #expect(made.text.contains("PRIVATE KEY"))
        #expect(made.text.contains("href=\"data:application/x-pem-file;base64,"))
        #expect(made.response.headers[.cacheControl] == "no-store")
        let list = try await olga.get(root + "/test-keys").text
        #expect(!list.contains("PRIVATE KEY") && list.contains("ci") && list.contains("olga"))
        let keys = try await house.store.issuerKeys.issuerKeys(of: house.home.id, kind: .test)
        let kid = try #require(keys.first?.kid)
        var pia = try await house.administrator(.developer, in: house.home, named: "pia")
        let path = "\(root)/test-keys/\(kid)/revoke"
        #expect(try await pia.get(path).status == .forbidden)
        #expect(
            try await pia.submit(path, ["confirmation": "ci"]).status == .forbidden)
        #expect(
            try await house.store.issuerKeys.issuerKeys(of: house.home.id, kind: .test).count == 1)
        let page = try await olga.get(path)
        _ = try await olga.submit(path, ["seal": try house.seal(page), "confirmation": "ci"])
        #expect(try await house.store.issuerKeys.issuerKeys(of: house.home.id, kind: .test).isEmpty)
    }

    @Test("the removal of a key's creator leaves the key")
    func offBoarding() async throws {
        let house = try await ConsoleHouse()
        var olga = try await house.administrator(.developer, in: house.home)
        _ = try await olga.submit(root + "/test-keys/create", ["name": "ci", "alg": "ES256"])
        try await house.store.people.remove(person: house.pages.person("olga").id)
        var pia = try await house.administrator(.projectAdministrator, named: "pia")
        let list = try await pia.get(root + "/test-keys").text
        #expect(list.contains("ci") && list.contains("olga") && list.contains("/revoke\""))
    }

    @Test("keys are rotated, and only a retiring one is retired, by its name")
    func signingKeys() async throws {
        let house = try await ConsoleHouse()
        var browser = try await house.administrator(.owner)
        _ = try await browser.get(root + "/keys")
        let before = try await house.store.signingKeys.signingKeys(of: house.home.id)
        let active = try #require(
            before.first { $0.state == .active && $0.algorithm == "ES256" }?.kid)
        #expect(try await browser.get("\(root)/keys/\(active)/retire").status == .notFound)
        #expect(
            try await browser.submit(root + "/keys/rotate", ["algorithm": "none"]).status
                == .unprocessableContent)
        let rotated = try await browser.submit(root + "/keys/rotate", ["algorithm": "ES256"])
        #expect(rotated.location == root + "/keys?done=rotated")
        let page = try await browser.get("\(root)/keys/\(active)/retire")
        _ = try await browser.submit(
            "\(root)/keys/\(active)/retire",
            ["seal": try house.seal(page), "confirmation": active])
        let after = try await house.store.signingKeys.signingKeys(of: house.home.id)
        #expect(!after.contains { $0.kid == active })
    }

    @Test("keys are not rotated before the next one is known, unless it is at once")
    func earlyRotation() async throws {
        let house = try await ConsoleHouse()
        var browser = try await house.administrator(.owner)
        _ = try await browser.get(root + "/keys")
        house.pages.clock.advance(by: .seconds(1))
        let first = try await browser.submit(root + "/keys/rotate", ["algorithm": "ES256"])
        #expect(first.status == .seeOther)
        #expect(try await browser.get(root + "/keys").text.contains("can sign from 20"))
        let before = try await house.store.signingKeys.signingKeys(of: house.home.id)
        let early = try await browser.submit(root + "/keys/rotate", ["algorithm": "ES256"])
        #expect(early.status == .conflict)
        #expect(early.text.contains("has not been published for long enough"))
        #expect(try await house.store.signingKeys.signingKeys(of: house.home.id) == before)
        let forced = try await browser.submit(
            root + "/keys/rotate", ["algorithm": "ES256", "at_once": "1"])
        #expect(forced.location == root + "/keys?done=rotated")
    }

    @Test("a registration token is shown once, within its limits, and revoked")
    func tokens() async throws {
        let house = try await ConsoleHouse()
        var browser = try await house.administrator(.owner)
        let path = root + "/registration-tokens"
        for (uses, hours) in [("0", "1"), ("x", "1"), ("1", "0"), ("1", "9999"), ("", "")] {
            let answer = try await browser.submit(
                path + "/create", ["maximum_uses": uses, "hours": hours])
            #expect((400..<500).contains(answer.status.code), "\(uses) \(hours)")
        }
        let made = try await browser.submit(
            path + "/create", ["label": "lab", "maximum_uses": "5", "hours": "24"])
        #expect(made.status == .ok && made.text.contains("Copy this value now"))
        let token = try #require(
            try await house.store.devices.deviceTokens(of: house.home.id, after: nil, limit: 5)
                .first)
        #expect(try await browser.get(path).text.contains("0 / 5"))
        let revoke = "\(path)/\(token.id)/revoke"
        let seal = try house.seal(try await browser.get(revoke))
        let slip = try await browser.submit(revoke, ["seal": seal, "confirmation": "fleet"])
        #expect(slip.status == .conflict)
        let revoked = try await browser.submit(revoke, ["seal": seal, "confirmation": "lab"])
        #expect(revoked.location == path + "?done=registrationToken")
        #expect(try await browser.get(path).text.contains(">revoked<"))
        #expect(try await browser.get(revoke).status == .notFound)
    }

    @Test("an issuer's key is a key of that algorithm, or refused with what was typed kept")
    func issuerKeys() async throws {
        let house = try await ConsoleHouse()
        var browser = try await house.administrator(.owner)
        let path = root + "/issuer-keys"
        for key in ["", "{", "not a key", "{\"kty\":\"oct\"}"] {
            let answer = try await browser.submit(
                path + "/create",
                ["issuer": "acme-idp", "kid": "k1", "alg": "ES256", "public_key": key])
            #expect((400..<500).contains(answer.status.code), "\(key)")
            #expect(answer.text.contains("acme-idp"))
        }
        #expect(
            try await house.store.issuerKeys.issuerKeys(of: house.home.id, kind: .federation)
                .isEmpty)
    }

    @Test("a theme takes colours and nothing else")
    func theme() async throws {
        let house = try await ConsoleHouse()
        var browser = try await house.administrator(.projectAdministrator, in: house.qa)
        let path = "/console/projects/qa/settings/theme"
        for accent in ["red", "#12345", "#1f5f50;}", "url(x)"] {
            let answer = try await browser.submit(path, ["accent": accent])
            #expect(answer.status == .unprocessableContent, "\(accent)")
        }
        _ = try await browser.submit(path, ["accent": "#b3261e", "display_name": "Quality"])
        let qa = try await house.store.projects.project(house.qa.id)
        #expect(qa?.theme == Theme(displayName: "Quality", accent: "#b3261e"))
        _ = try await browser.submit(path, ["accent": "", "display_name": ""])
        #expect(try await house.store.projects.project(house.qa.id)?.theme == Theme())
    }
}
