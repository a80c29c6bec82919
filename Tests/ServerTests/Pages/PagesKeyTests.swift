// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import JOSE
import Primitives
import ProviderCore
import ProviderPeople
import Storage
import Support
import Testing

@testable import HTTPServer
@testable import WebPages

/// Security keys on pages, without a script.
@Suite struct PagesKeyTests {
    private func addKey(_ house: PagesHouse, _ username: String) async throws -> Credential {
        let person = try await house.person(username)
        let key = Credential(
            id: Identifier(now: house.clock.now, random: house.random), project: house.project.id,
            person: person.id, kind: .publicKey, externalID: house.random.bytes(32),
            publicPart: house.random.bytes(77),
            details: #"{"transports":["usb"],"backup_eligible":false}"#, label: "Blue key",
            assurance: "security_key", createdAt: house.clock.now)
        #expect(try await house.provider.store.credentials.add(key))
        return key
    }

    @Test("the account page names the kind of a key and takes it away in one click")
    func lost() async throws {
        let house = try await PagesHouse()
        var browser = try await house.registered()
        let key = try await addKey(house, "anna")
        let page = try await browser.get("/account").text
        #expect(page.contains("Blue key") && page.contains("Security key"))
        #expect(page.contains("data-action=\"security-key-register\""))
        #expect(!page.contains("data-signals"))
        let answer = try await browser.submit("/account/credentials/\(key.id)/lost", [:])
        #expect(answer.location == "/account?done=lost")
        let after = try await browser.get("/account?done=lost").text
        #expect(!after.contains("Blue key") && after.contains("The key has been deactivated"))
        // The browser is told which keys are left.
        #expect(after.contains("data-signals") && after.contains("allAcceptedCredentialIds"))
    }

    @Test("Attack 30: another site cannot report a key lost, nor can a form without its token")
    func forged() async throws {
        let house = try await PagesHouse()
        var browser = try await house.registered()
        let key = try await addKey(house, "anna")
        _ = try await browser.get("/account")
        browser.fetchSite = "cross-site"
        #expect(
            try await browser.submit("/account/credentials/\(key.id)/lost", [:]).status
                == .forbidden)
        browser.fetchSite = "same-origin"
        #expect(
            try await browser.submit(
                "/account/credentials/\(key.id)/lost", ["form_token": "x"]
            ).status == .forbidden)
        let person = try await house.person("anna")
        #expect(try await house.provider.store.credentials.credentials(of: person.id).count == 2)
    }

    @Test("Attack 29: known and unknown names get keys of one shape from the route as well")
    func named() async throws {
        let house = try await PagesHouse()
        _ = try await house.registered()
        for name in ["anna", "nobody"] {
            var browser = house.browser()
            let answer = try await browser.post(
                json: "{\"username\":\"\(name)\"}", to: "/webauthn/sign-in/options")
            #expect(answer.status == .ok)
            let body = try JSONParser.parseObject(answer.response.body, maximumBytes: 65_536)
            #expect(body["publicKey"]?["allowCredentials"]?.array?.isEmpty == false)
            #expect(body["publicKey"]?["hints"]?.strings == ["security-key"])
        }
    }

    @Test("a browser with an unknown key is told to remove it")
    func signal() async throws {
        let house = try await PagesHouse()
        var browser = house.browser()
        let options = try await browser.post(json: "{}", to: "/webauthn/sign-in/options")
        let body = try JSONParser.parseObject(options.response.body, maximumBytes: 65_536)
        let ceremony = try #require(body["ceremony"]?.string)
        let key = try SoftwarePasskey(
            origin: PagesHouse.issuer, relyingPartyID: "localhost", random: house.random)
        let credential = try key.assertion(challenge: ceremony, userHandle: [1])
        let answer = try await browser.post(
            json: "{\"ceremony\":\"\(ceremony)\",\"credential\":\(credential)}",
            to: "/webauthn/sign-in/verify")
        let problem = try JSONParser.parseObject(answer.response.body, maximumBytes: 65_536)
        #expect(problem["code"]?.string == "passkey_unknown")
        #expect(
            problem["signal"]?["credentialId"]?.string == Base64URL.encode(key.credentialID))
        #expect(problem["signal"]?["rpId"]?.string == "localhost")
    }

    @Test("a step-up requires a session and a key")
    func stepUp() async throws {
        let house = try await PagesHouse()
        var stranger = house.browser()
        let path = "/webauthn/sign-in/options"
        let ask = #"{"step_up":"phr"}"#
        #expect(try await stranger.post(json: ask, to: path).status == .unprocessableContent)
        var browser = try await house.registered()
        #expect(try await browser.post(json: ask, to: path).status == .unprocessableContent)
        _ = try await addKey(house, "anna")
        #expect(try await browser.post(json: ask, to: path).status == .ok)
        #expect(try await browser.get("/step-up").location == "/")
        #expect(try await browser.get("/second-way").location == "/")
    }

    @Test("a program takes a key off the account by its credential id, its owner's only")
    func unregister() async throws {
        let house = try await PagesHouse()
        var browser = try await house.registered()
        let key = try await addKey(house, "anna")
        let path = "/webauthn/unregister"
        func body(_ id: [UInt8]) -> String { "{\"credential\":\"\(Base64URL.encode(id))\"}" }
        var stranger = house.browser()
        #expect(
            try await stranger.post(json: body(key.externalID), to: path).status
                == .unprocessableContent)
        var bert = try await house.registered("bert")
        for wrong in [body(key.externalID), body([1, 2, 3]), "{}", #"{"credential":7}"#] {
            let answer = try await bert.post(json: wrong, to: path)
            let problem = try JSONParser.parseObject(answer.response.body, maximumBytes: 65_536)
            #expect(problem["code"]?.string == "unknown_credential", "\(wrong)")
        }
        let person = try await house.person("anna")
        #expect(try await house.provider.store.credentials.credentials(of: person.id).count == 2)
        let answer = try await browser.post(json: body(key.externalID), to: path)
        #expect(answer.status == .ok)
        #expect(
            try await house.provider.store.credentials.credentials(of: person.id).map(\.kind) == [
                .password
            ])
    }

    @Test("the page of an invalid link says so, and that of a valid one names the account")
    func reregister() async throws {
        let house = try await PagesHouse()
        _ = try await house.registered()
        var browser = house.browser()
        #expect(try await browser.get("/reregister?token=nonsense").status == .notFound)
        let context = CeremonyContext(
            provider: house.provider, tenant: house.tenant,
            facts: RequestMetadata(now: house.clock.now, requestID: "r", address: "192.0.2.9"),
            writer: LocalizedNotificationComposer(house.web.translations))
        let (url, _) = try await ReRegistration(context)
            .open(for: house.person("anna"), lifetime: .hours(1))
        let path = String(url.dropFirst(PagesHouse.issuer.count))
        let page = try await browser.get(path)
        #expect(page.status == .ok && page.text.contains("anna"))
        #expect(page.text.contains("data-reregister"))
    }
}
