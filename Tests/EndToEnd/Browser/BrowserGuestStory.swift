// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import Testing

extension EndToEndBrowser {
    /// The browser client in Chromium: a person without stored data.
    @Suite(
        "The browser client's guests",
        .enabled(if: WebDriver.isInstalled, "needs chromium and chromedriver"))
    struct BrowserGuestStory {
        /// Returns the provider's response to a request of the page. The page's script would handle
        /// a response by itself, so another user agent uses the provider's pages.
        private func answer(
            to address: String, of house: BrowserClientHouse
        ) async throws -> String {
            let person = FormAgent(port: house.server.port)
            let path = String(address.dropFirst(house.server.issuer.count))
            let back = try await blocking {
                let page = try person.follow(.init(path: path))
                return try person.submit(
                    page, at: "/sign-in",
                    [("username", "anna"), ("password", DeclaredState.password)],
                    having: "password")
            }
            return try #require(back["location"], "\(back.status) \(back.text)")
        }

        /// Of all that the page keeps, the names.
        private static let kept = """
            const kept = await new Promise((done, fail) => {
              const opening = indexedDB.open(`gatehouse ${issuer} browser-client`);
              opening.onerror = () => fail(opening.error);
              opening.onsuccess = () => {
                const database = opening.result;
                const asked = database.transaction("records").objectStore("records").getAllKeys();
                asked.onsuccess = () => { database.close(); done(asked.result); };
              };
            });
            """

        @Test("A guest has a session that renews itself, and nothing of them is written down")
        func guest() async throws {
            let house = try await BrowserClientHouse("browser-guest")
            try await house.visit { browser, page in
                let asked = try await house.run(
                    page, "return [await c.browserRequest({ persistence: \"ephemeral\" })];")
                let back = try await answer(to: try #require(asked[0].string), of: house)
                let outcome = try await house.run(
                    page,
                    """
                    const issuer = "\(house.server.issuer)";
                    const made = await c.completeInBrowser("\(back)");
                    const { session } = made;
                    const { value, isBoundToKey } = await session.accessToken();
                    await session.refresh();
                    const renewed = (await session.accessToken()).value !== value;
                    const open = await session.fetch(`${issuer}/userinfo`);
                    \(Self.kept)
                    return [
                      made.profile.username, made.isNewProfile, isBoundToKey, renewed,
                      open.status, session.claims.sub === made.profile.userID,
                      (await c.profiles()).length, await refusal(() => c.session()),
                      await refusal(() => c.session(made.profile.id)),
                      await refusal(() => c.registerInstallation(made.profile.id)),
                      kept.join(),
                    ];
                    """)
                #expect(
                    outcome == [
                        "anna", true, true, true, 200, true, 0, "notRegistered",
                        "notRegistered", "notRegistered", "provider",
                    ], "\(outcome.text)")
            }
        }

        @Test("A guest does not affect a registered person")
        func beside() async throws {
            let house = try await BrowserClientHouse("browser-guest-beside")
            try await house.visit { browser, page in
                try await house.signInOverPage(browser)
                let asked = try await house.run(
                    page, "return [await c.browserRequest({ persistence: \"ephemeral\" })];")
                let back = try await answer(to: try #require(asked[0].string), of: house)
                let outcome = try await house.run(
                    page,
                    """
                    const own = await c.session();
                    const before = (await own.accessToken()).value;
                    const made = await c.completeInBrowser("\(back)");
                    await made.session.refresh();
                    const again = await c.completeInBrowser("\(back)").catch(({ code }) => code);
                    return [
                      made.profile.userID === own.profile.userID,
                      made.profile.id === own.profile.id, made.isNewProfile,
                      (await own.accessToken()).value === before, (await c.profiles()).length,
                      await c.session() === own, again,
                      await refusal(() => c.browserRequest({ persistence: "for ever" })),
                    ];
                    """)
                #expect(
                    outcome == [
                        true, false, true, true, 1, true, "redirectMismatch",
                        "configurationInvalid",
                    ], "\(outcome.text)")
            }
        }
    }
}
