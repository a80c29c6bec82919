// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import Testing

extension EndToEnd {
    /// A shop with the sign-in page in a frame of its page, and others that are not allowed.
    @Suite(
        "Our sign-in page in a frame",
        .enabled(
            if: WebDriver.isInstalled && CertificateAuthority.isInstalled && Repository.hasPeers,
            "needs chromium, chromedriver, openssl, certutil and .venv of Scripts/bootstrap"))
    struct FramedSignInStory {
        /// The provider, and sites that hold pages in frames.
        private struct Sites {
            let login: String
            let shop: String
            let stranger: String

            /// Where Shop sends people, who come back to it.
            var authorization: String {
                let query = [
                    "response_type=code", "client_id=shop", "redirect_uri=\(shop)/callback",
                    "scope=openid", "state=s", "nonce=n",
                    "code_challenge=\(PKCEPair.challenge)", "code_challenge_method=S256",
                ]
                return "\(login)/authorize?" + query.joined(separator: "&")
            }
        }

        @Test("an allowed site holds it: the person signs in with a passkey and is back in the app")
        func passkey() async throws {
            try await withSites { browser, sites in
                _ = try await browser.addAuthenticator()
                try await signInAtTop(browser, sites)
                try await browser.click("[data-action=passkey-register]")
                try await browser.arrives(at: "done=passkey")
                try await browser.open("\(sites.shop)/frame?\(sites.authorization)")
                try await browser.enterFrame("#frame")
                // The session of the top is not the frame's: another site could look through it.
                // The list of the user-name field may be faster than the hand on the button.
                _ = try? await browser.run(
                    "document.querySelector('[data-action=passkey-sign-in]')?.click()")
                try await arrivesInFrame(browser, at: sites.shop + "/callback?code=")
                // Signed in for frames in this site's pages: the next one asks nothing.
                try await browser.open("\(sites.shop)/frame?\(sites.authorization)")
                try await browser.enterFrame("#frame")
                try await arrivesInFrame(browser, at: sites.shop + "/callback?code=")
            }
        }

        @Test("the form with the password works in the frame as well, in both languages")
        func password() async throws {
            try await withSites { browser, sites in
                try await browser.open("\(sites.shop)/frame?\(sites.authorization)")
                try await browser.enterFrame("#frame")
                try await browser.click("footer a[lang=de]")
                try await browser.type("anna", into: "[name=username]")
                try await browser.type(DeclaredState.password, into: "[name=password]")
                try await browser.click("[data-action=sign-in]")
                try await arrivesInFrame(browser, at: sites.shop + "/callback?code=")
            }
        }

        @Test("a site that is not on the list holds nothing, and an allowed one no other page")
        func refused() async throws {
            try await withSites { browser, sites in
                let frames = [
                    "\(sites.stranger)/frame?\(sites.authorization)",
                    "\(sites.stranger)/frame?\(sites.login)/sign-in",
                    "\(sites.shop)/frame?\(sites.login)/register",
                    "\(sites.shop)/frame?\(sites.login)/recover",
                    "\(sites.shop)/frame?\(sites.login)/",
                ]
                for frame in frames {
                    try await browser.open(frame)
                    try await browser.enterFrame("#frame")
                    let address = try await browser.run("return document.URL").string ?? ""
                    #expect(address.hasPrefix("chrome-error:"), "\(frame)")
                    #expect(try await !browser.exists("form"), "\(frame)")
                }
            }
        }

        @Test("a frame that was not lent the right to credentials uses none, and says so")
        func notLent() async throws {
            try await withSites { browser, sites in
                _ = try await browser.addAuthenticator()
                try await signInAtTop(browser, sites)
                try await browser.click("[data-action=passkey-register]")
                try await browser.arrives(at: "done=passkey")
                try await browser.open("\(sites.shop)/plain?\(sites.authorization)")
                try await browser.enterFrame("#frame")
                try await browser.click("[data-action=passkey-sign-in]")
                _ = try await browser.element("[role=alert]")
                let address = try await browser.run("return document.URL").string ?? ""
                #expect(address.hasPrefix(sites.login + "/sign-in"))
            }
        }

        private func signInAtTop(_ browser: WebDriver, _ sites: Sites) async throws {
            try await browser.open(sites.login + "/sign-in")
            try await browser.type("anna", into: "[name=username]")
            try await browser.type(DeclaredState.password, into: "[name=password]")
            try await browser.click("[data-action=sign-in]")
            try await browser.arrives(at: "/account")
        }

        private func arrivesInFrame(_ browser: WebDriver, at address: String) async throws {
            try await eventually("the frame is at \(address)") {
                let here = try await browser.run("return document.URL").string ?? ""
                return here.hasPrefix(address) ? true : nil
            }
        }

        /// The provider and the sites under names of their own, and a browser that trusts them.
        private func withSites(
            _ story: (WebDriver, Sites) async throws -> Void
        ) async throws {
            let authority = try await CertificateAuthority(
                hosts: ["login.example.org", "shop.example.net", "stranger.example.com"])
            let port = try Connection.freePort()
            let shop = "https://shop.example.net:\(port)"
            let server = try await server(authority, shop: shop)
            let pages = try await WebSites(authority, port: port)
            let browser = try await WebDriver(
                .init(home: try await authority.browserHome(), isAlone: true))
            let sites = Sites(
                login: server.issuer, shop: shop,
                stranger: "https://stranger.example.com:\(port)")
            do { try await story(browser, sites) } catch {
                _ = try? await browser.screenshot("failure")
                await browser.quit()
                throw error
            }
            await browser.quit()
            try await pages.stop()
            try await server.stop()
        }

        private func server(
            _ authority: CertificateAuthority, shop: String
        ) async throws -> ServerProcess {
            var state = DeclaredState(
                clients: [DeclaredState.web("shop", redirect: shop + "/callback")],
                users: [DeclaredState.user("anna")])
            state.webauthn = ["top_origins": [.string(shop)]]
            let file = try authority.folder.write(state.text, to: "state.yaml")
            return try await ServerProcess(
                "framed",
                site: .init(
                    host: "login.example.org", certificate: authority.certificate,
                    key: authority.key),
                arguments: ["--apply", file.path()])
        }
    }
}
