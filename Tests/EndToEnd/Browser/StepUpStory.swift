// SPDX-License-Identifier: Apache-2.0
import Support
import Testing

extension EndToEndBrowser {
    /// A person with a password and an unused security key, and an app that requires the key.
    @Suite(
        "A person with a security key",
        .enabled(if: WebDriver.isInstalled, "needs chromium and chromedriver"))
    struct StepUpStory {
        private func signIn(_ browser: WebDriver, _ house: DemoHouse) async throws {
            try await browser.open(house.shop)
            try await house.enter(browser, house.shop)
            try await house.signIn(browser, "anna")
            try await browser.arrives(at: house.shop)
        }

        private func addKey(_ browser: WebDriver, _ house: DemoHouse) async throws {
            try await browser.open(house.issuer + "/account")
            try await browser.click("[data-action=security-key-register]")
            try await eventually("the account lists the key") {
                try await browser.count("[data-action=credential-lost]") == 1 ? true : nil
            }
        }

        @Test("signed in to Shop with a password, paying asks for exactly the key, then it is lost")
        func stepUp() async throws {
            let house = try await DemoHouse()
            try await house.visit { browser in
                try await signIn(browser, house)
                let key = try await browser.addAuthenticator(.key(over: "usb"))
                try await addKey(browser, house)
                #expect(try await key.credentials().count == 1)
                try await browser.screenshot("50-account-security-key")
                try await pay(browser, house)
                try await lose(browser, house)
            }
        }

        private func pay(_ browser: WebDriver, _ house: DemoHouse) async throws {
            try await browser.open(house.shop)
            try await browser.click("[data-action=pay]")
            try await browser.arrives(at: "/step-up")
            // The key, and nothing of what was shown before.
            #expect(try await !browser.exists("[name=password]"))
            #expect(try await !browser.exists("[name=username]"))
            try await browser.screenshot("51-step-up")
            try await browser.click("[data-action=passkey-sign-in]")
            try await browser.shows("Thank you")
            try await browser.screenshot("52-shop-paid")
            try await browser.open(house.shop)
            let text = try await browser.text
            #expect(text.contains("phr"))
            try await browser.screenshot("53-shop-after-step-up")
        }

        private func lose(_ browser: WebDriver, _ house: DemoHouse) async throws {
            try await browser.open(house.issuer + "/account")
            try await browser.run(
                "document.querySelectorAll('details').forEach(d => d.open = true)")
            try await browser.screenshot("54-account-key-details")
            try await browser.click("[data-action=credential-lost]")
            try await browser.arrives(at: "done=lost")
            #expect(try await !browser.exists("[data-action=credential-lost]"))
            try await browser.screenshot("55-account-key-lost")
        }

        @Test("the new pages in German, on a phone, in the dark")
        func germanPhone() async throws {
            let house = try await DemoHouse()
            let window = WebDriver.Window(width: 500, height: 900, language: "de-DE", dark: true)
            try await house.visit(window) { browser in
                try await browser.emulatePhone()
                try await signIn(browser, house)
                _ = try await browser.addAuthenticator(.key(over: "usb"))
                try await addKey(browser, house)
                try await browser.run(
                    "document.querySelectorAll('details').forEach(d => d.open = true)")
                try await expectNoSidewaysScroll(browser)
                try await browser.screenshot("56-account-security-key-german-phone-dark")
                try await browser.open(house.shop)
                try await browser.click("[data-action=pay]")
                try await browser.arrives(at: "/step-up")
                try await browser.shows("Zusätzliche Bestätigung nötig")
                try await expectNoSidewaysScroll(browser)
                try await browser.screenshot("57-step-up-german-phone-dark")
                try await browser.click("[data-action=step-up-decline]")
                try await browser.shows("Sign in with a passkey or security key first")
                try await browser.open(house.issuer + "/sign-in?again=1")
                try await expectNoSidewaysScroll(browser)
                try await browser.screenshot("58-sign-in-german-phone-dark")
            }
        }

        private func expectNoSidewaysScroll(_ browser: WebDriver) async throws {
            let script = "return document.documentElement.scrollWidth <= innerWidth"
            #expect(try await browser.run(script) == true, "the page is wider than the phone")
        }
    }
}
