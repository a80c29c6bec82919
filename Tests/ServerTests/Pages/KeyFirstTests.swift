// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import HTTPTypes
import Primitives
import ProviderCore
import Storage
import Support
import Testing

@testable import HTTPServer
@testable import WebPages

/// The sign-in page if a password alone is not sufficient.
@Suite struct KeyFirstTests {
    private static let password = IssuerPathHouse.password

    /// Whether the page offers a key before the password.
    private func isKeyFirst(_ page: Answer) throws -> Bool {
        let key = try #require(page.text.firstRange(of: "data-action=\"passkey-sign-in\""))
        let form = try #require(page.text.firstRange(of: "name=\"password\""))
        #expect(page.text.components(separatedBy: "data-action=\"passkey-sign-in\"").count == 2)
        return key.lowerBound < form.lowerBound
    }

    private static func essential(_ value: String) -> [String: String] {
        ["claims": #"{"id_token":{"acr":{"essential":true,"value":"\#(value)"}}}"#]
    }

    private func signInPage(
        _ browser: inout Browser, _ change: [String: String], language: String = "en"
    ) async throws -> Answer {
        browser.language = language
        let asked = try await browser.get("/auth" + IssuerPathHouse.request(change))
        return try await browser.get(try #require(asked.location))
    }

    @Test("a client that accepts only keys: the page offers the key first, and says why")
    func client() async throws {
        let house = try await IssuerPathHouse()
        var browser = house.browser()
        let key = try await signInPage(&browser, Self.essential("phr"))
        #expect(try isKeyFirst(key))
        #expect(key.text.contains("shop requires a passkey or security key. A password alone is"))
        #expect(!key.text.contains("autofocus"))
        let hardware = try await signInPage(&browser, Self.essential("phrh"), language: "de")
        #expect(try isKeyFirst(hardware))
        #expect(hardware.text.contains("shop verlangt einen Hardware-Sicherheitsschlüssel."))
        for change in [
            [:], ["acr_values": "phr"], Self.essential("urn:gatehouse:acr:password"),
        ] {
            let page = try await signInPage(&browser, change)
            #expect(try !isKeyFirst(page), "\(change)")
            #expect(!page.text.contains("A password alone"))
        }
    }

    @Test("a client's required_acr has the same page, and a wrong password does not change it")
    func requiredClass() async throws {
        let house = try await IssuerPathHouse()
        let store = house.pages.provider.store
        _ = try await house.registered("anna", at: "/auth")
        var client = try #require(
            try await store.clients.client(clientID: "shop", in: house.pages.project.id))
        client.metadata.requiredContextClass = "phr"
        #expect(try await store.clients.save(client, now: house.pages.clock.now))
        var browser = house.browser()
        let asked = try await browser.get("/auth" + IssuerPathHouse.request())
        let page = try await browser.get(try #require(asked.location))
        #expect(try isKeyFirst(page))
        let handle = try #require(OAuthHouse.Answer(asked.response).parameters["continue"])
        let wrong = try await browser.submit(
            "/auth/sign-in", ["username": "anna", "password": "wrong", "continue": handle])
        #expect(wrong.status == .unprocessableContent)
        #expect(try isKeyFirst(wrong))
    }

    @Test("a console that requires a key has the same page, with and without a session")
    func console() async throws {
        let house = try await ConsoleHouse()
        var browser = try await house.administrator(.owner)
        var stranger = house.pages.browser()
        #expect(try await stranger.get("/console").location == "/sign-in?next=console")
        var home = house.home
        home.policy.administratorsNeedKey = .always
        _ = try await house.store.projects.save(home)
        house.pages.provider.tenants.invalidate()
        let place = "/sign-in?next=console&key=1"
        #expect(try await stranger.get("/console").location == place)
        let page = try await stranger.get(place)
        #expect(try isKeyFirst(page))
        #expect(page.text.contains("The console requires your passkey or security key."))
        #expect(page.text.contains("name=\"key\" value=\"1\""))
        let wrong = try await stranger.submit(
            "/sign-in", ["username": "olga", "password": "wrong", "next": "console", "key": "1"])
        #expect(wrong.status == .unprocessableContent)
        #expect(try isKeyFirst(wrong))
        #expect(try await !isKeyFirst(stranger.get("/sign-in")))
        #expect(try await browser.get("/console").status == .forbidden)
    }
}
