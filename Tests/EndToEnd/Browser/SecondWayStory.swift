// SPDX-License-Identifier: Apache-2.0
import Support
import Testing

extension EndToEndBrowser {
    /// A client that requires a second credential: a second key or recovery codes are created
    /// first.
    @Suite(
        "A first key and a second sign-in method",
        .enabled(if: WebDriver.isInstalled, "needs chromium and chromedriver"))
    struct SecondWayStory {
        /// Bert comes from Shop, makes an account with a passkey, and is asked for a second way.
        private func arrive(_ browser: WebDriver, _ house: DemoHouse) async throws {
            try await browser.open(house.shop)
            try await house.enter(browser, house.shop)
            try await browser.click("a[href*='/register']")
            try await browser.type("bert", into: "[name=username]")
            try await browser.type("Bert Brown", into: "[name=name]")
            try await browser.click("[data-action=passkey-register]")
            try await browser.arrives(at: "/second-way")
            try await browser.shows("Shop")
        }

        private func house() async throws -> DemoHouse {
            try await DemoHouse(webauthn: ["second_factor_before_first_key": true])
        }

        @Test("recovery codes are enough, and the way leads on to the app")
        func codes() async throws {
            let house = try await house()
            try await house.visit { browser in
                _ = try await browser.addAuthenticator()
                try await arrive(browser, house)
                try await browser.screenshot("63-second-way")
                // Neither the app nor another one lets in before there is a second way.
                try await browser.open(house.wiki)
                try await house.enter(browser, house.wiki)
                try await browser.arrives(at: "/second-way")
                try await browser.open(house.shop)
                try await house.enter(browser, house.shop)
                try await browser.arrives(at: "/second-way")
                try await browser.click("[data-action=recovery-codes]")
                try await browser.shows("Your recovery codes")
                try await browser.screenshot("64-second-way-codes")
                try await browser.click(".actions a.button")
                try await browser.arrives(at: house.shop)
                try await browser.shows("Bert Brown")
            }
        }

        @Test("a second key is enough; the first one is not taken for it")
        func secondKey() async throws {
            let house = try await house()
            try await house.visit { browser in
                let first = try await browser.addAuthenticator()
                try await arrive(browser, house)
                try await browser.click("[data-action=passkey-register]")
                try await browser.shows("already")
                #expect(try await browser.url.contains("/second-way"))
                try await first.remove()
                let second = try await browser.addAuthenticator(.key(over: "usb"))
                try await browser.click("[data-action=security-key-register]")
                try await browser.arrives(at: house.shop)
                try await browser.shows("Bert Brown")
                #expect(try await second.credentials().count == 1)
            }
        }

        @Test("the page in German, on a phone, in the dark")
        func germanPhone() async throws {
            let house = try await house()
            let window = WebDriver.Window(width: 500, height: 900, language: "de-DE", dark: true)
            try await house.visit(window) { browser in
                try await browser.emulatePhone()
                _ = try await browser.addAuthenticator()
                try await arrive(browser, house)
                let script = "return document.documentElement.scrollWidth <= innerWidth"
                #expect(try await browser.run(script) == true, "the page is wider than the phone")
                try await browser.screenshot("65-second-way-german-phone-dark")
            }
        }

        @Test("a person with a password is not interrupted: no key is required")
        func password() async throws {
            let house = try await house()
            try await house.visit { browser in
                try await browser.open(house.shop)
                try await house.enter(browser, house.shop)
                try await house.signIn(browser, "anna")
                try await browser.arrives(at: house.shop)
            }
        }
    }
}
