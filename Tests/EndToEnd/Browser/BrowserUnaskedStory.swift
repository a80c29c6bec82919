// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import Testing

extension EndToEndBrowser {
    /// The browser client in Chromium: sessions without a prompt, the hand-off to the web, and
    /// entitlements.
    @Suite(
        "The browser client's sessions without a prompt",
        .enabled(if: WebDriver.isInstalled, "needs chromium and chromedriver"))
    struct BrowserUnaskedStory {
        /// Anna, whose browser has a key.
        private func visit(
            _ name: String, scopes: [String] = ["weather"], on database: StoryDatabase = .sqlite,
            _ story: (BrowserClientHouse, WebDriver, WebAuthnPage) async throws -> Void
        ) async throws {
            let house = try await BrowserClientHouse(
                name, on: database,
                .init(registration: ["device_scopes": ["weather"]], scopes: scopes))
            try await house.visit { browser, page in
                try await house.signInOverPage(browser)
                try await story(house, browser, page)
            }
        }

        @Test("The browser itself: its own tokens, which open nothing of Anna's, and end with it")
        func device() async throws {
            try await visit("browser-device") { house, _, page in
                let outcome = try await house.run(
                    page,
                    """
                    const early = await refusal(() => c.device.session());
                    const { profile } = await c.registerInstallation();
                    await c.signOut(profile.id);
                    const device = await c.device.session();
                    const token = await device.accessToken();
                    const claims = JSON.parse(atob(
                      token.value.split(".")[1].replaceAll("-", "+").replaceAll("_", "/")));
                    const first = token.value;
                    await device.refresh();
                    const second = (await device.accessToken()).value;
                    const open = "\(house.server.issuer)/registration/installations"
                      + "?client_id=browser-client";
                    return [
                      early, claims.sub === profile.installationID, token.scopes.join(),
                      token.isBoundToKey, first !== second, (await device.fetch(open)).ok,
                      await refusal(() => c.device.session({ scopes: ["openid"] })),
                      await refusal(() => c.device.session({ profileID: "nobody" })),
                      await refusal(() => c.session()), (await c.remove(profile.id)).isComplete,
                      await refusal(() => device.refresh()),
                      await refusal(() => c.device.session()),
                    ];
                    """)
                #expect(
                    outcome == [
                        "notRegistered", true, "weather", true, true, false,
                        "configurationInvalid", "notRegistered", "notSignedIn", true,
                        "authenticatorNotRegistered", "notRegistered",
                    ], "\(outcome.text)")
            }
        }

        @Test(
            "By the key alone, in addition to Anna's own session: it is not stored",
            arguments: StoryDatabase.available)
        func implicit(on database: StoryDatabase) async throws {
            try await visit("browser-implicit", on: database) { house, _, page in
                let outcome = try await house.run(
                    page,
                    """
                    const ask = (scopes) => c.implicitSession(undefined, { scopes });
                    const early = await refusal(() => ask(["openid"]));
                    const { profile } = await c.registerInstallation();
                    const own = await c.session();
                    const before = (await own.accessToken()).value;
                    const alone = await ask(["openid", "profile"]);
                    const { value, scopes } = await alone.accessToken();
                    await alone.refresh();
                    const renewed = (await alone.accessToken()).value;
                    const untouched = (await own.accessToken()).value === before;
                    await c.signOut(profile.id);
                    await alone.refresh();
                    return [
                      early, alone.claims.sub === profile.userID, [...scopes].sort().join(),
                      value !== renewed, untouched, await refusal(() => c.session()),
                      await refusal(() => ask([])),
                      (await c.remove(profile.id)).isComplete,
                      await refusal(() => alone.refresh()), await refusal(() => ask(["openid"])),
                    ];
                    """)
                #expect(
                    outcome == [
                        "authenticatorNotRegistered", true, "openid,profile", true, true,
                        "notSignedIn", "configurationInvalid", true, "notRegistered",
                        "notRegistered",
                    ], "\(outcome.text)")
            }
        }

        @Test("To the web: the address leads there once, and to no place that is not registered")
        func handoff() async throws {
            try await visit("browser-handoff") { house, browser, page in
                let account = house.server.issuer + "/account"
                let outcome = try await house.run(
                    page,
                    """
                    const session = await c.session();
                    const other = await refusal(() => session.webHandoff("https://evil.example/"));
                    const { url, expiresAt } = await session.webHandoff("\(account)?tab=keys");
                    const life = expiresAt - Date.now();
                    return [other, life > 0 && life <= 60_000, url];
                    """)
                guard case .array(let values) = outcome, values.count == 3,
                    let address = values[2].string
                else {
                    Issue.record("\(outcome.text)")
                    return
                }
                #expect(Array(values[..<2]) == ["webTargetRefused", true])
                try await browser.clearCookies()
                try await browser.open(address)
                try await browser.shows("Is this your account?")
                try await browser.click("[data-action=handoff-accept]")
                try await browser.arrives(at: "/account")
                try await browser.shows("Anna")
                try await browser.open(address)
                try await browser.shows("already used")
            }
        }

        @Test("Anna's entitlements are in her tokens, and her page consumes each use once")
        func entitlements() async throws {
            try await visit("browser-entitlements", scopes: ["entitlements"]) { house, _, page in
                let place = ["--data-dir", house.server.dataDirectory]
                for words in [
                    ["put", "gold", "vaults=10", "export=true"], ["give", "anna", "--set", "gold"],
                    ["refill", "anna", "sms=2"],
                ] {
                    let done = try await Command.run(
                        Repository.gatehouse, ["admin", "entitlements"] + words + place)
                    #expect(done.status == 0, "\(done.errors)")
                }
                let outcome = try await house.run(
                    page,
                    """
                    await c.registerInstallation();
                    const session = await c.implicitSession(
                      undefined, { scopes: ["openid", "entitlements"] });
                    const { vaults, export: exports, sms } = await session.entitlements();
                    const idempotencyKey = crypto.randomUUID();
                    const real = window.fetch;
                    let losses = 1;
                    window.fetch = async (url, init) => {
                      const answer = await real(url, init);
                      if (String(url).includes("/consume?") && losses-- > 0) {
                        throw new TypeError("lost");
                      }
                      return answer;
                    };
                    const first = await session.consume("sms", { idempotencyKey });
                    window.fetch = real;
                    const again = await session.consume("sms", { idempotencyKey });
                    const now = await session.currentEntitlements();
                    const usual = await c.session();
                    const other = { amount: 2, idempotencyKey: crypto.randomUUID() };
                    return [
                      vaults, exports, sms ?? "never", first.remaining, again.remaining, losses,
                      now.set, now.expendable.sms, now.effective.vaults,
                      now.sequence ?? "none", await usual.entitlements() ?? "none",
                      await refusal(() => usual.currentEntitlements()),
                      await refusal(() => session.consume("sms", other)),
                      await refusal(() => session.consume("sms", { amount: 2, idempotencyKey })),
                      await refusal(() => session.consume("sms")),
                    ];
                    """)
                #expect(
                    outcome == [
                        10, true, "never", 1, 1, -1, "gold", 1, 10, "none", "none",
                        "scopeMissing", "insufficientEntitlements", "idempotencyKeyTaken",
                        "requestInvalid",
                    ], "\(outcome.text)")
            }
        }

        @Test("What Anna may do changes, and every page is told by the next token, once")
        func entitlementsChanged() async throws {
            try await visit("browser-changed", scopes: ["entitlements"]) { house, _, page in
                let before = try await house.run(
                    page,
                    """
                    await c.registerInstallation();
                    window.heard = [];
                    window.e = new m.IdentityClient({
                      issuer: "\(house.server.issuer)", clientID: "browser-client",
                      scopes: [...m.usualScopes, "entitlements"],
                    });
                    const hear = (name) =>
                      ({ detail }) => heard.push(name + detail.profile.username);
                    c.addEventListener("entitlementschanged", hear("c "));
                    e.addEventListener("entitlementschanged", hear("e "));
                    const session = await e.signIn();
                    await session.refresh();
                    return [heard.length, (await session.entitlements())?.vaults ?? "none"];
                    """)
                #expect(before == [0, "none"], "\(before.text)")
                let place = ["--data-dir", house.server.dataDirectory]
                for words in [["put", "gold", "vaults=10"], ["give", "anna", "--set", "gold"]] {
                    let done = try await Command.run(
                        Repository.gatehouse, ["admin", "entitlements"] + words + place)
                    #expect(done.status == 0, "\(done.errors)")
                }
                let after = try await house.run(
                    page,
                    """
                    const session = await e.session();
                    const told = new Promise((done) =>
                      c.addEventListener("entitlementschanged", done, { once: true }));
                    await session.refresh();
                    await told;
                    await session.refresh();
                    return [heard.sort().join(), (await session.entitlements()).vaults];
                    """)
                #expect(after == ["c anna,e anna", 10], "\(after.text)")
            }
        }

        @Test("For another service: tokens for that one alone, which end with the session")
        func exchange() async throws {
            try await visit("browser-exchange") { house, _, page in
                let outcome = try await house.run(
                    page,
                    """
                    const session = await c.session();
                    const ledger = await session.exchange("ledger");
                    const { value, scopes, isBoundToKey } = await ledger.accessToken();
                    const { aud, sub } = JSON.parse(atob(
                      value.split(".")[1].replaceAll("-", "+").replaceAll("_", "/")));
                    await ledger.refresh();
                    const renewed = (await ledger.accessToken()).value !== value;
                    const request = await ledger.authorize("https://ledger.example/");
                    const less = await session.exchange("ledger", { scopes: ["profile"] });
                    const open = await ledger.fetch("\(house.server.issuer)/userinfo");
                    const ask = (...words) => refusal(() => session.exchange(...words));
                    const refused = [
                      await ask("another"), await ask("ledger", { scopes: ["registration"] }),
                      await ask(),
                    ];
                    await c.signOut();
                    return [
                      aud, sub === session.profile.userID, scopes.includes("registration"),
                      isBoundToKey, renewed, request.headers.has("DPoP"),
                      (await less.accessToken()).scopes.join(), open.status, ...refused,
                      await refusal(() => ledger.refresh()), await ask("ledger"),
                    ];
                    """)
                #expect(
                    outcome == [
                        "ledger", true, false, true, true, true, "profile", 401, "requestInvalid",
                        "configurationInvalid", "requestInvalid", "notSignedIn", "notSignedIn",
                    ], "\(outcome.text)")
            }
        }
    }
}
