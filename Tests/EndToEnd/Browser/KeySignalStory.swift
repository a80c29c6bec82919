// SPDX-License-Identifier: Apache-2.0
import Support
import Testing

extension EndToEndBrowser {
    /// What our pages tell a browser about its keys, and what they ask of it unasked.
    @Suite(
        "A browser that is kept informed",
        .enabled(if: WebDriver.isInstalled, "needs chromium and chromedriver"))
    struct KeySignalStory {
        /// Anna, signed in with her password, on her account page.
        private func visit(
            _ story: (WebDriver, DemoHouse) async throws -> Void
        ) async throws {
            let house = try await DemoHouse()
            try await house.visit { browser in try await story(browser, house) }
        }

        private func openAccount(_ browser: WebDriver, _ house: DemoHouse) async throws {
            try await house.signIn(browser, "anna")
            try await browser.arrives(at: "/account")
        }

        private func addPasskey(_ browser: WebDriver, to key: VirtualAuthenticator) async throws {
            try await browser.click("[data-action=passkey-register]")
            try await eventually("the account lists the passkey") {
                try await browser.exists("form[action$='/lost']") ? true : nil
            }
            #expect(try await key.credentials().count == 1)
        }

        private func unfold(_ browser: WebDriver) async throws {
            try await browser.run(
                "document.querySelectorAll('details').forEach(d => d.open = true)")
        }

        // MARK: Signals

        @Test("a new name reaches the passkey in the person's store")
        func details() async throws {
            try await visit { browser, house in
                try await openAccount(browser, house)
                let key = try await browser.addAuthenticator()
                try await addPasskey(browser, to: key)
                #expect(try await key.details().first?["userDisplayName"] == "Anna")
                try await browser.type("Anna of Gatehouse", into: "#name")
                try await browser.click("form[action$='/account/name'] button")
                try await browser.arrives(at: "done=renamed")
                try await eventually("the store knows the new name") {
                    let stored = try await key.details().first
                    return stored?["userDisplayName"] == "Anna of Gatehouse"
                        && stored?["userName"] == "anna" ? true : nil
                }
            }
        }

        @Test("a passkey that is removed on the account page leaves the person's store")
        func removed() async throws {
            try await visit { browser, house in
                try await openAccount(browser, house)
                let key = try await browser.addAuthenticator()
                try await addPasskey(browser, to: key)
                try await unfold(browser)
                try await browser.click("form[action$='/remove'] [data-action=credential-remove]")
                try await browser.arrives(at: "done=removed")
                try await eventually("the store is empty") {
                    try await key.credentials().isEmpty ? true : nil
                }
            }
        }

        @Test("a passkey that is reported lost leaves the person's store as well")
        func lost() async throws {
            try await visit { browser, house in
                try await openAccount(browser, house)
                let key = try await browser.addAuthenticator()
                try await addPasskey(browser, to: key)
                try await unfold(browser)
                try await browser.click("[data-action=credential-lost]")
                try await browser.arrives(at: "done=lost")
                try await eventually("the store is empty") {
                    try await key.credentials().isEmpty ? true : nil
                }
            }
        }

        @Test("a passkey that was removed elsewhere is forgotten when it is offered")
        func unknown() async throws {
            try await visit { browser, house in
                try await openAccount(browser, house)
                let key = try await browser.addAuthenticator()
                try await addPasskey(browser, to: key)
                let elsewhere = FormAgent(port: house.server.port)
                try elsewhere.signIn("anna", DeclaredState.password)
                let account = try elsewhere.follow(.init(path: "/account"))
                _ = try elsewhere.submit(account, to: "/remove")
                #expect(try await key.credentials().count == 1)
                try await browser.clearCookies()
                try await browser.open(house.issuer + "/sign-in")
                // Offered in the list of the user-name field; the virtual key consents at once.
                try await browser.shows("not registered here")
                try await eventually("the store is empty") {
                    try await key.credentials().isEmpty ? true : nil
                }
                #expect(try await browser.cookie("gatehouse-session").isNull)
            }
        }

        // MARK: Made without a word

        /// A browser whose password manager has just filled in the password, which headless
        /// Chromium has none to: it makes what is asked for, and notes how it was asked.
        private static func manager(conditionalCreate: Bool) -> String {
            """
            if (window.PublicKeyCredential) {
              const known = PublicKeyCredential.getClientCapabilities.bind(PublicKeyCredential);
              PublicKeyCredential.getClientCapabilities = async () => {
                sessionStorage.setItem("asked", "capabilities");
                return { ...(await known()), conditionalCreate: \(conditionalCreate) };
              };
              const create = navigator.credentials.create.bind(navigator.credentials);
              navigator.credentials.create = ({ mediation, ...options }) => {
                sessionStorage.setItem("mediation", mediation ?? "none");
                return create(options);
              };
            }
            """
        }

        private func noted(_ name: String, _ browser: WebDriver) async throws -> String? {
            try await browser.run("return sessionStorage.getItem('\(name)')").string
        }

        @Test("after a password a browser that can makes a passkey by itself, once")
        func conditionalCreate() async throws {
            try await visit { browser, house in
                try await browser.prepare(Self.manager(conditionalCreate: true))
                let key = try await browser.addAuthenticator()
                try await openAccount(browser, house)
                try await browser.arrives(at: "done=passkey")
                #expect(try await noted("mediation", browser) == "conditional")
                #expect(try await key.credentials().count == 1)
                #expect(try await browser.count("form[action$='/lost']") == 1)
                // Removed, it is not made again: that was an answer.
                try await unfold(browser)
                try await browser.click("form[action$='/remove'] [data-action=credential-remove]")
                try await browser.arrives(at: "done=removed")
                try await browser.run("sessionStorage.clear()")
                try await browser.open(house.issuer + "/account")
                try await eventually("the page asked what the browser can do") {
                    try await noted("asked", browser)
                }
                #expect(try await noted("mediation", browser) == nil)
                #expect(try await !browser.exists("[role=alert]"))
            }
        }

        @Test("a browser without the capability gets no signal, and the offer remains")
        func incapable() async throws {
            try await visit { browser, house in
                try await browser.prepare(Self.manager(conditionalCreate: false))
                let key = try await browser.addAuthenticator()
                try await openAccount(browser, house)
                try await eventually("the page asked what the browser can do") {
                    try await noted("asked", browser)
                }
                #expect(try await noted("mediation", browser) == nil)
                #expect(try await key.credentials().isEmpty)
                // The next browser, which can, still has the offer.
                try await browser.prepare(Self.manager(conditionalCreate: true))
                try await browser.open(house.issuer + "/account")
                try await browser.arrives(at: "done=passkey")
                #expect(try await key.credentials().count == 1)
            }
        }

        @Test("Chromium itself, whose password manager has no entry, shows no prompt")
        func unwilling() async throws {
            try await visit { browser, house in
                let key = try await browser.addAuthenticator()
                try await openAccount(browser, house)
                let script = """
                    return performance.getEntriesByType("resource")
                      .some((entry) => entry.name.includes("/webauthn/registration/options"))
                    """
                try await eventually("the page took up the offer") {
                    try await browser.run(script) == true ? true : nil
                }
                #expect(try await !browser.exists("[role=alert]"))
                #expect(try await key.credentials().isEmpty)
                // The button still works: the quiet attempt gives way.
                try await addPasskey(browser, to: key)
            }
        }
    }
}
