// SPDX-License-Identifier: Apache-2.0
import Support
import Testing

extension EndToEndBrowser {
    /// The browser client in Chromium: a person is removed while their tokens are in transit.
    @Suite(
        "The browser client's removals and concurrent responses",
        .enabled(if: WebDriver.isInstalled, "needs chromium and chromedriver"))
    struct BrowserLeavingStory {
        private static let removals = ["c.remove(profile.id)", "c.eraseLocalState()"]

        /// Runs the page's script with Anna signed in: `held` resolves when the provider has issued
        /// the next tokens, which reach the client after `release()`. `left` is the content of the
        /// store of profiles, tokens and keys.
        private func visit(_ name: String, _ body: String) async throws -> JSON {
            let house = try await BrowserClientHouse(name)
            var outcome = JSON.null
            try await house.visit { browser, page in
                try await house.signInOverPage(browser)
                outcome = try await house.run(
                    page,
                    """
                    const name = "gatehouse \(house.server.issuer) browser-client";
                    const real = window.fetch;
                    let release, held;
                    const isHeld = new Promise((done) => { held = done; });
                    const isReleased = new Promise((done) => { release = done; });
                    const hold = () => {
                      window.fetch = async (url, init) => {
                        const answer = await real(url, init);
                        if (String(url).endsWith("/token")) {
                          window.fetch = real;
                          held();
                          await isReleased;
                        }
                        return answer;
                      };
                    };
                    const waiters = async () => (await navigator.locks.query()).pending.length;
                    const left = async () => {
                      const database = await new Promise((done) => {
                        const request = indexedDB.open(name);
                        request.onsuccess = () => done(request.result);
                      });
                      const keys = await new Promise((done) => {
                        const request = database.transaction("records")
                          .objectStore("records").getAllKeys();
                        request.onsuccess = () => done(request.result);
                      });
                      database.close();
                      return keys.filter((key) => /^(profile|tokens|key|current)/.test(key)).join();
                    };
                    \(body)
                    """)
            }
            return outcome
        }

        @Test(
            "A renewal that is under way ends first, and what it wrote goes with the rest",
            arguments: removals)
        func renewal(_ removal: String) async throws {
            let outcome = try await visit(
                "browser-remove-renew",
                """
                const session = await c.session();
                const { profile } = session;
                hold();
                const renewal = session.refresh();
                await isHeld;
                let isOver = false;
                const removal = \(removal).then(() => { isOver = true; });
                // It waits for the renewal, or has ended, which is the error.
                while (!isOver && await waiters() === 0) {
                  await new Promise((done) => requestAnimationFrame(done));
                }
                const wasOver = isOver;
                release();
                await renewal;
                await removal;
                return [
                  wasOver, await left(), await refusal(() => c.session(profile.id)),
                  await refusal(() => session.accessToken({ validFor: 86_400 })),
                ];
                """)
            #expect(outcome == [false, "", "notRegistered", "notSignedIn"], "\(outcome.text)")
        }

        @Test(
            "Who is removed while they sign in is not signed in, and leaves nothing here",
            arguments: removals)
        func signIn(_ removal: String) async throws {
            let outcome = try await visit(
                "browser-remove-sign-in",
                """
                const { profile } = await c.registerInstallation();
                hold();
                const signIn = refusal(() => c.signIn(m.deviceKey));
                await isHeld;
                await \(removal);
                release();
                return [await signIn, await left(), (await c.profiles()).length];
                """)
            #expect(outcome == ["notRegistered", "", 0], "\(outcome.text)")
        }
    }
}
