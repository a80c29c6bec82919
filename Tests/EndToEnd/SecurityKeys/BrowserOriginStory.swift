// SPDX-License-Identifier: Apache-2.0
import Foundation
import JOSE
import Primitives
import Support
import Testing
import WebAuthn

extension EndToEnd {
    /// Origins that are not the RP ID's own: related ones, and pages in frames of others. Chromium
    /// reads the list of related origins on port 443 only, with a certificate that it trusts.
    @Suite(
        "Origins in Chromium",
        .enabled(
            if: WebDriver.isInstalled && CertificateAuthority.isInstalled && Repository.hasPeers,
            "needs chromium, chromedriver, openssl, certutil and .venv of Scripts/bootstrap"))
    struct BrowserOriginStory {
        private static let home = "https://login.example.org"
        private static let related = "https://shop.example.net"
        private static let stranger = "https://stranger.example.com"

        @Test("a related origin uses the credentials of another RP ID, another origin does not")
        func relatedOrigins() async throws {
            try await withSites { browser in
                let party = RelyingParty(id: "login.example.org", origins: [Self.related])
                let shop = BrowserRelyingParty(browser, party)
                _ = try await browser.addAuthenticator()
                try await browser.open(Self.related + "/")
                let registered = try await shop.register(shop.creationOptions())
                try await shop.signIn(registered)
                try await browser.open(Self.stranger + "/")
                let thrown = await #expect(throws: WebAuthnPage.Thrown.self) {
                    try await shop.register(shop.creationOptions())
                }
                #expect(thrown?.name == "SecurityError")
            }
        }

        @Test("a cross-origin frame signs in only where it and its top origin are expected")
        func frames() async throws {
            try await withSites { browser in
                _ = try await browser.addAuthenticator()
                try await browser.open(Self.home + "/")
                let own = RelyingParty(id: "login.example.org", origins: [Self.home])
                let registered = try await BrowserRelyingParty(browser, own)
                    .register(BrowserRelyingParty(browser, own).creationOptions())
                try await tryFramed(browser) { try await $0.signIn(registered) }
            }
        }

        @Test("a cross-origin frame registers after a click, and only where it is expected")
        func registrationInFrame() async throws {
            try await withSites { browser in
                _ = try await browser.addAuthenticator()
                try await tryFramed(browser) {
                    _ = try await $0.register($0.creationOptions(), clicking: "button")
                }
            }
        }

        /// In a frame below another page: where that is expected, where no frame is, and where another
        /// page is.
        private func tryFramed(
            _ browser: WebDriver, _ ceremony: (BrowserRelyingParty) async throws -> Void
        ) async throws {
            try await browser.open(Self.related + "/frame?" + Self.home + "/")
            try await browser.enterFrame("#frame")
            let cases: [(WebAuthnRefusal.Code?, Bool, [String])] = [
                (nil, true, [Self.related]),
                (.crossOriginNotAllowed, false, [Self.related]),
                (.topOriginNotAllowed, true, [Self.stranger]),
            ]
            for (code, allows, tops) in cases {
                let framed = BrowserRelyingParty(
                    browser,
                    RelyingParty(
                        id: "login.example.org", origins: [Self.home], topOrigins: tops,
                        allowCrossOrigin: allows))
                var refusal: WebAuthnRefusal?
                do { try await ceremony(framed) } catch let error as WebAuthnRefusal {
                    refusal = error
                }
                #expect(refusal?.code == code)
            }
        }

        @Test("Chromium accepts the list that the provider itself serves")
        func providersList() async throws {
            try await withAuthority { authority, browser in
                let port = try Connection.freePort()
                let shop = "https://shop.example.net:\(port)"
                var state = DeclaredState()
                state.webauthn = ["related_origins": [.string(shop)]]
                let file = try authority.folder.write(state.text, to: "state.yaml")
                let server = try await ServerProcess(
                    "related-origins", port: 443,
                    site: .init(
                        host: "login.example.org", certificate: authority.certificate,
                        key: authority.key), arguments: ["--apply", file.path()])
                let sites = try await WebSites(authority, port: port)
                let party = BrowserRelyingParty(
                    browser, RelyingParty(id: "login.example.org", origins: [shop]))
                _ = try await browser.addAuthenticator()
                try await browser.open(shop + "/")
                try await party.signIn(party.register(party.creationOptions()))
                try await browser.open("\(Self.stranger):\(port)/")
                let thrown = await #expect(throws: WebAuthnPage.Thrown.self) {
                    try await party.register(party.creationOptions())
                }
                #expect(thrown?.name == "SecurityError")
                try await sites.stop()
                try await server.stop()
            }
        }

        /// Three sites on port 443, the first of which lists itself and the second as related.
        private func withSites(_ story: (WebDriver) async throws -> Void) async throws {
            try await withAuthority { authority, browser in
                let related = try RelatedOrigins([Self.home, Self.related])
                try authority.folder.write(related.json.text, to: "webauthn.json")
                let sites = try await WebSites(authority)
                try await story(browser)
                try await sites.stop()
            }
        }

        /// An authority for the sites' names, and a browser that finds and trusts them.
        private func withAuthority(
            _ story: (CertificateAuthority, WebDriver) async throws -> Void
        ) async throws {
            let authority = try await CertificateAuthority(
                hosts: ["login.example.org", "shop.example.net", "stranger.example.com"])
            let browser = try await WebDriver(
                .init(home: try await authority.browserHome(), isAlone: true))
            do { try await story(authority, browser) } catch {
                await browser.quit()
                throw error
            }
            await browser.quit()
        }
    }
}
