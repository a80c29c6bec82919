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

        @Test("a related origin uses the credentials of another RP ID, a stranger does not")
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
                            id: own.id, origins: own.origins, topOrigins: tops,
                            allowCrossOrigin: allows))
                    var refusal: WebAuthnRefusal?
                    do { try await framed.signIn(registered) } catch let error as WebAuthnRefusal {
                        refusal = error
                    }
                    #expect(refusal?.code == code)
                }
            }
        }

        /// Three sites on port 443, and a browser that finds and trusts them.
        private func withSites(_ story: (WebDriver) async throws -> Void) async throws {
            let authority = try await CertificateAuthority(
                hosts: ["login.example.org", "shop.example.net", "stranger.example.com"])
            let related = try RelatedOrigins([Self.home, Self.related])
            try authority.folder.write(related.json.text, to: "webauthn.json")
            let sites = try ChildProcess(
                Repository.python,
                [
                    Repository.peers.appending(path: "webauthn_sites.py").path(),
                    authority.certificate.path(), authority.key.path(),
                    authority.folder.url.path(),
                ], log: Repository.outputFile("sites.log"))
            try await eventually("the sites are up") {
                guard sites.isRunning else { throw HarnessError(sites.lastWords) }
                let ready = authority.folder.file("ready").path()
                return FileManager.default.fileExists(atPath: ready) ? true : nil
            }
            let browser = try await WebDriver(
                .init(home: try await authority.browserHome(), isAlone: true))
            do { try await story(browser) } catch {
                await browser.quit()
                throw error
            }
            await browser.quit()
            try await sites.stop()
        }
    }
}
