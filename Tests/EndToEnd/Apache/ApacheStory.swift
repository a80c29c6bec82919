// SPDX-License-Identifier: Apache-2.0
import Support
import Testing

extension EndToEnd {
    /// An independent relying party that is in use everywhere.
    @Suite(
        "Apache with mod_auth_openidc",
        .enabled(
            if: ApacheSites.isInstalled && WebDriver.isInstalled,
            "needs apache2, libapache2-mod-auth-openidc, chromium and chromedriver"))
    struct ApacheStory {
        @Test(
            "one sign-in opens both sites to the group that they require, and logging out of one ends the provider's session"
        )
        func singleSignOn() async throws {
            let sites = try ApacheSites.chooseSites()
            let server = try await ServerProcess("apache-provider")
            try await server.apply(Self.state(sites).text)
            let apache = try await ApacheSites(sites, issuer: server.issuer)
            let house = DemoHouse(server: server)
            try await house.visit { browser in
                try await refused(browser, sites[0], house)
            }
            try await house.visit { browser in
                try await enterBoth(browser, sites, house)
                try await leave(browser, sites[0], house)
            }
            try await apache.stop()
            try await server.stop()
        }

        /// Anna is of the group that the sites require, Bert is not. The clients state no algorithm.
        private static func state(_ sites: [ApacheSites.Site]) -> DeclaredState {
            guard case .object(let anna) = DeclaredState.user("anna") else {
                return DeclaredState()
            }
            return DeclaredState(
                clients: sites.map(\.client),
                users: [
                    .object(anna.merging(["groups": ["staff"]]) { $1 }), DeclaredState.user("bert"),
                ])
        }

        private func refused(
            _ browser: WebDriver, _ site: ApacheSites.Site, _ house: DemoHouse
        ) async throws {
            try await browser.open(site.origin + "/")
            _ = try await browser.element("[name=password]")
            try await house.signIn(browser, "bert")
            try await browser.shows("Unauthorized")
        }

        private func enterBoth(
            _ browser: WebDriver, _ sites: [ApacheSites.Site], _ house: DemoHouse
        ) async throws {
            try await browser.open(sites[0].origin + "/")
            _ = try await browser.element("[name=password]")
            try await house.signIn(browser, "anna")
            try await browser.shows("Welcome to library")
            try await browser.open(sites[1].origin + "/")
            try await browser.shows("Welcome to museum")
            let visitor = "return fetch('/').then(r => r.headers.get('X-Visitor'))"
            #expect(try await browser.run(visitor).string?.hasPrefix("anna") == true)
        }

        private func leave(
            _ browser: WebDriver, _ site: ApacheSites.Site, _ house: DemoHouse
        ) async throws {
            let back = formEncoded([("logout", site.goodbye)])
            try await browser.open("\(site.redirect)?\(back)")
            try await browser.shows("Goodbye from library")
            #expect(try await browser.cookie("gatehouse-session").isNull)
            try await browser.open(site.origin + "/")
            _ = try await browser.element("[name=password]")
            #expect(try await browser.url.hasPrefix(house.issuer), "a new sign-in is asked for")
        }
    }
}
