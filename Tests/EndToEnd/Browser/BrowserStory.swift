// SPDX-License-Identifier: Apache-2.0
import Support
import Testing

extension EndToEndBrowser {
    /// A person with Chromium and a passkey, from the first page to the last.
    @Suite(
        "A person with a browser",
        .enabled(if: WebDriver.isInstalled, "needs chromium and chromedriver"))
    struct BrowserStory {
        @Test(
            "register with a passkey, enter Shop and Wiki, change passkeys, leave",
            arguments: StoryDatabase.available)
        func passkeys(on database: StoryDatabase) async throws {
            let house = try await DemoHouse(on: database)
            try await house.visit { browser in
                let key = try await browser.addAuthenticator()
                try await register(browser, house)
                #expect(try await key.credentials().count == 1)
                try await enterBothApps(browser, house)
                try await changePasskeys(browser, house, key)
                try await signOut(browser, house)
                try await signInWithPasskey(browser, house)
            }
        }

        private func register(_ browser: WebDriver, _ house: DemoHouse) async throws {
            try await browser.open(house.issuer)
            try await browser.screenshot("01-home")
            try await browser.open(house.issuer + "/register")
            try await browser.screenshot("02-register")
            try await browser.type("ada", into: "[name=username]")
            try await browser.type("Ada Lovelace", into: "[name=name]")
            try await browser.click("[data-action=passkey-register]")
            try await eventually("Ada is signed in") {
                try await browser.url.contains("/register") ? nil : true
            }
            try await browser.screenshot("03-registered")
        }

        private func enterBothApps(_ browser: WebDriver, _ house: DemoHouse) async throws {
            try await browser.open(house.shop)
            try await browser.screenshot("04-shop-outside")
            try await house.enter(browser, house.shop)
            try await browser.shows("Ada Lovelace")
            try await browser.screenshot("05-shop-inside")
            try await browser.open(house.wiki)
            try await house.enter(browser, house.wiki)
            try await browser.shows("Ada Lovelace")
            #expect(try await browser.url.hasPrefix(house.wiki), "no prompt on the way to Wiki")
            try await browser.screenshot("06-wiki-inside")
        }

        private func changePasskeys(
            _ browser: WebDriver, _ house: DemoHouse, _ key: VirtualAuthenticator
        ) async throws {
            try await browser.open(house.issuer + "/account")
            try await browser.shows("Ada")
            try await browser.screenshot("07-account")
            // The first key is excluded from a second registration, so the second key is another.
            try await key.remove()
            let second = try await browser.addAuthenticator()
            try await browser.click("[data-action=passkey-register]")
            try await eventually("the second passkey is made") {
                try await second.credentials().count == 1 ? true : nil
            }
            try await eventually("the account lists two passkeys") {
                try await browser.count("form[action$='/rename']") == 2 ? true : nil
            }
            try await browser.screenshot("08-account-two-passkeys")
            try await browser.run(
                "document.querySelectorAll('details').forEach(d => d.open = true)")
            try await browser.screenshot("09-account-details")
            try await removeOldest(browser)
            try await eventually("the account lists one passkey") {
                try await browser.count("form[action$='/rename']") == 1 ? true : nil
            }
        }

        /// The list has the oldest first; the second key is the one at hand.
        private func removeOldest(_ browser: WebDriver) async throws {
            try await browser.click("form[action$='/remove'] [data-action=credential-remove]")
        }

        private func signOut(_ browser: WebDriver, _ house: DemoHouse) async throws {
            try await browser.open(house.issuer + "/sign-out")
            try await browser.screenshot("10-sign-out")
            try await browser.click("[data-action=sign-out]")
            try await eventually("the session is over") {
                try await browser.cookie("gatehouse-session").isNull ? true : nil
            }
            try await browser.screenshot("11-signed-out")
        }

        private func signInWithPasskey(_ browser: WebDriver, _ house: DemoHouse) async throws {
            try await browser.open(house.issuer + "/sign-in")
            // Autofill may sign in by itself: the virtual key consents to everything.
            _ = try? await browser.click("[data-action=passkey-sign-in]")
            try await eventually("signed in with the second passkey") {
                try await browser.cookie("gatehouse-session").isNull ? nil : true
            }
            try await browser.open(house.issuer + "/account")
            try await browser.shows("Ada")
        }

        @Test("sign in with a password, in German, on a phone, in the dark")
        func germanPhone() async throws {
            let house = try await DemoHouse()
            let window = WebDriver.Window(width: 500, height: 900, language: "de-DE", dark: true)
            try await house.visit(window) { browser in
                try await browser.emulatePhone()
                try await browser.open(house.issuer + "/sign-in")
                try await browser.shows("Anmelden")
                #expect(try await browser.run("return document.documentElement.lang") == "de")
                try await expectNoSidewaysScroll(browser)
                try await browser.screenshot("20-sign-in-german-phone-dark")
                try await fillWrong(browser)
                try await house.signIn(browser, "anna")
                try await browser.open(house.issuer + "/account")
                try await expectNoSidewaysScroll(browser)
                try await browser.screenshot("22-account-german-phone-dark")
                for (path, name) in [("/", "23-home"), ("/device", "24-device")] {
                    try await browser.open(house.issuer + path)
                    try await expectNoSidewaysScroll(browser)
                    try await browser.screenshot("\(name)-german-phone-dark")
                }
            }
        }

        private func fillWrong(_ browser: WebDriver) async throws {
            try await browser.type("anna", into: "[name=username]")
            try await browser.type("wrong and again wrong", into: "[name=password]")
            try await browser.click("[data-action=sign-in]")
            _ = try await browser.element("[role=alert]")
            try await browser.screenshot("21-refused-german-phone-dark")
        }

        private func expectNoSidewaysScroll(_ browser: WebDriver) async throws {
            let script = "return document.documentElement.scrollWidth <= innerWidth"
            #expect(try await browser.run(script) == true, "the page is wider than the phone")
        }

        @Test("every other page is there, light and dark")
        func gallery() async throws {
            let house = try await DemoHouse()
            for dark in [false, true] {
                try await house.visit(.init(dark: dark)) { browser in
                    let mode = dark ? "dark" : "light"
                    for (name, path) in [
                        ("sign-in", "/sign-in"), ("register", "/register"),
                        ("recover", "/recover"), ("home", "/"), ("not-found", "/nothing-here"),
                        ("error", "/authorize?client_id=nobody"),
                    ] {
                        try await browser.open(house.issuer + path)
                        try await browser.screenshot("30-\(name)-\(mode)")
                    }
                }
            }
        }

        @Test("a passkey whose signature is spoilt opens nothing")
        func bogusSignature() async throws {
            let house = try await DemoHouse()
            try await house.visit { browser in
                let key = try await browser.addAuthenticator()
                try await register(browser, house)
                try await browser.clearCookies()
                try await key.overrideResponses(bogusSignature: true)
                try await browser.open(house.issuer + "/sign-in")
                _ = try? await browser.click("[data-action=passkey-sign-in]")
                _ = try await browser.element("[role=alert]")
                #expect(try await browser.cookie("gatehouse-session").isNull)
                try await browser.screenshot("31-passkey-refused")
            }
        }
    }
}
