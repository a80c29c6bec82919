// SPDX-License-Identifier: Apache-2.0
import Support
import Testing

extension EndToEndBrowser {
    /// The browser client in Chromium: a page of another origin than the provider's, under the
    /// content security policy of the example.
    @Suite(
        "The browser client",
        .enabled(if: WebDriver.isInstalled, "needs chromium and chromedriver"))
    struct BrowserClientStory {
        @Test(
            "The example: a page, a key, silence ever after, and three ways out",
            arguments: StoryDatabase.available)
        func example(on database: StoryDatabase) async throws {
            let house = try await BrowserClientHouse(on: database)
            try await house.visit { browser, _ in
                try await house.signInOverPage(browser)
                #expect(try await !browser.url.contains("code="), "the code stays in the address")
                try await house.press(
                    browser, "register-installation", until: "sign you in by itself")
                try await house.press(browser, "sign-out", until: "Nobody is signed in.")
                // Whatever the provider's page still knows of Anna, it is not asked.
                try await browser.clearCookies()
                try await house.press(browser, "sign-in-by-key", until: "Signed in: anna.")
                try await house.press(browser, "show-token", until: "Good until")
                try await browser.screenshot("70-browser-client")
                try await house.press(browser, "sign-out-everywhere", until: "Nobody is signed in.")
                try await browser.shows("Done.")
                try await house.press(browser, "sign-in-by-key", until: "Signed in: anna.")
                try await house.press(browser, "remove", until: "Done.")
                #expect(try await !browser.text.contains("by oidc"), "Anna was not forgotten")
            }
        }

        @Test("With a passkey on the provider's page, and the account closed at the end")
        func passkey() async throws {
            let house = try await BrowserClientHouse()
            try await house.visit { browser, page in
                let key = try await browser.addAuthenticator()
                try await browser.open(house.server.issuer + "/register")
                try await browser.type("ada", into: "[name=username]")
                try await browser.type("Ada Lovelace", into: "[name=name]")
                try await browser.click("[data-action=passkey-register]")
                try await eventually("Ada has a passkey") {
                    try await key.credentials().count == 1 ? true : nil
                }
                try await browser.arrives(at: "/account")
                try await browser.clearCookies()
                try await house.open(browser)
                try await browser.click("[data-action=register-in-browser]")
                try await browser.arrives(at: "/sign-in")
                // Autofill may sign in by itself: the virtual key consents to everything.
                _ = try? await browser.click("[data-action=passkey-sign-in]")
                try await browser.arrives(at: ":\(house.port)/")
                try await browser.shows("Signed in: ada.")
                let claims = try await house.run(page, "return (await c.session()).claims;")
                #expect(claims["amr"].array?.isEmpty == false)
                try await house.press(browser, "delete-account", until: "Nobody is signed in.")
                let left = try await house.run(page, "return (await c.profiles()).length;")
                #expect(left == 0)
            }
        }

        @Test("The key cannot be exported, not even by a script of the page")
        func keyStays() async throws {
            let house = try await BrowserClientHouse()
            try await house.visit { browser, page in
                try await house.signInOverPage(browser)
                _ = try await house.run(page, "return c.registerInstallation();")
                let outcome = try await house.run(
                    page,
                    """
                    const open = indexedDB.open("gatehouse \(house.server.issuer) browser-client");
                    const database = await new Promise((done) => {
                      open.onsuccess = () => done(open.result);
                    });
                    const all = database.transaction("records").objectStore("records")
                      .getAll(IDBKeyRange.bound("key/", "key/~"));
                    const [pair] = await new Promise((done) => {
                      all.onsuccess = () => done(all.result);
                    });
                    const taken = await refusal(
                      () => crypto.subtle.exportKey("jwk", pair.privateKey));
                    return [all.result.length, pair.privateKey.extractable, taken];
                    """)
                #expect(outcome == [1, false, "InvalidAccessError"])
            }
        }

        @Test("Two tabs, one renewal; and who signs out in one is out in the other")
        func twoTabs() async throws {
            let house = try await BrowserClientHouse()
            try await house.visit { browser, page in
                try await house.signInOverPage(browser)
                let first = try await browser.command("GET", "/window").string ?? ""
                let opened = try await browser.command("POST", "/window/new", ["type": "tab"])
                let second = opened["handle"].string ?? ""
                func go(_ tab: String) async throws {
                    try await browser.command("POST", "/window", ["handle": .string(tab)])
                }
                try await go(second)
                try await house.open(browser)
                // The lock is held until both tabs wait for it, so the order is not accidental.
                let begin = """
                    const real = window.fetch;
                    window.asked = 0;
                    window.fetch = (url, init) => {
                      if (String(url).endsWith("/token")) window.asked += 1;
                      return real(url, init);
                    };
                    const session = await c.session();
                    window.renewal = session.refresh();
                    return session.profile.id;
                    """
                for tab in [second, first] {
                    try await go(tab)
                    if tab == second { try await hold(house, page) }
                    _ = try await house.run(page, begin)
                }
                try await go(second)
                _ = try await house.run(page, "window.release(); return 0;")
                var asked = 0
                for tab in [second, first] {
                    try await go(tab)
                    let count = try await house.run(
                        page, "await window.renewal; return window.asked;")
                    asked += count.int ?? 0
                }
                #expect(asked == 1)
                try await go(first)
                try await house.press(browser, "sign-out", until: "Nobody is signed in.")
                try await go(second)
                try await browser.shows("Nobody is signed in.")
            }
        }

        private func hold(_ house: BrowserClientHouse, _ page: WebAuthnPage) async throws {
            _ = try await house.run(
                page,
                """
                const { profile } = await c.session();
                const name = `gatehouse \(house.server.issuer) browser-client session ${profile.id}`;
                await new Promise((held) => navigator.locks.request(name, () => {
                  held();
                  return new Promise((done) => { window.release = done; });
                }));
                return 0;
                """)
        }

        @Test("A thousand callers who need another token: one call to the provider")
        func oneCall() async throws {
            let house = try await BrowserClientHouse()
            try await house.visit { browser, page in
                try await house.signInOverPage(browser)
                let outcome = try await house.run(
                    page,
                    """
                    const session = await c.session();
                    const before = await session.accessToken();
                    const [real, calls] = [window.fetch, []];
                    window.fetch = (url, init) => { calls.push(String(url)); return real(url, init); };
                    // Tokens are valid for less than a day, so this one counts as expired.
                    const all = await Promise.all(Array.from(
                      { length: 1000 }, () => session.accessToken({ validFor: 86_400 })));
                    Object.assign(window, { fetch: real });
                    return [calls.length, new Set(all.map(({ value }) => value)).size,
                      all[0].value !== before.value];
                    """)
                #expect(outcome == [1, 1, true])
            }
        }
    }
}
