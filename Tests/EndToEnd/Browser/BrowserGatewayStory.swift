// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import Testing

extension EndToEndBrowser {
    /// The browser client in Chromium, with a gateway that responds between page and provider.
    @Suite(
        "The browser client behind a gateway",
        .enabled(if: WebDriver.isInstalled, "needs chromium and chromedriver"))
    struct BrowserGatewayStory {
        @Test(
            "A page that replaces the provider signs no person out, and stored data are still used")
        func page() async throws {
            let house = try await BrowserClientHouse("browser-gateway")
            try await house.visit { browser, page in
                try await house.signInOverPage(browser)
                let outcome = try await house.run(
                    page,
                    """
                    const heard = new Set(), said = new Set();
                    for (const name of ["signedout", "refreshfailed"]) {
                      c.addEventListener(name, ({ type }) => heard.add(type));
                    }
                    const session = await c.session();
                    const before = (await session.accessToken()).value;
                    const [real, now] = [window.fetch, Date.now];
                    const answer = (path, status, type, text) => {
                      window.fetch = async (to, options) => String(to.url ?? to).includes(path)
                        ? new Response(text, { status, headers: { "Content-Type": type } })
                        : real(to, options);
                    };
                    const started = [];
                    try {
                      for (const [status, type, text] of [
                        [401, "text/html", "<html>"], [403, "text/html", "<html>"],
                        [404, "text/plain", "none"], [200, "text/html", "<html>"],
                        [403, "application/json", '{"message":"blocked"}'],
                      ]) {
                        answer("/token", status, type, text);
                        try { await session.refresh(); said.add("renewed"); } catch (error) {
                          said.add(`${error.code} ${error.retry}`);
                        }
                        answer("/.well-known/", status, type, text);
                        Date.now = () => now() + 400_000;
                        started.push((await c.start()).registersApps);
                        Date.now = now;
                      }
                    } finally { [window.fetch, Date.now] = [real, now]; }
                    const isSame = (await c.session()) === session;
                    await session.refresh();
                    const after = (await session.accessToken()).value;
                    return [
                      [...said].join(), [...heard].join(), started.join(), isSame,
                      before !== after,
                    ];
                    """)
                #expect(
                    outcome == [
                        "invalidAnswer later", "refreshfailed", "true,true,true,true,true", true,
                        true,
                    ], "\(outcome.text)")
            }
        }
    }
}
