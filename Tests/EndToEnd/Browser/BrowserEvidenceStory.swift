// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import Testing

extension EndToEndBrowser {
    /// The browser client: evidence, what is lost on the way, and pages that may not ask.
    @Suite(
        "The browser client's registrations",
        .enabled(if: WebDriver.isInstalled, "needs chromium and chromedriver"))
    struct BrowserEvidenceStory {
        @Test(
            "A test key registers people, and an answer that was lost costs nothing",
            arguments: StoryDatabase.available)
        func testKey(on database: StoryDatabase) async throws {
            let house = try await BrowserClientHouse(on: database)
            let file = house.server.data.file("test-key.pem").path()
            let made = try await Command.gatehouse(
                "admin", "test-keys", "create", "--name", "ci", "--owner", "olga", "--alg",
                "ES256", "--key-file", file, "--json", "--data-dir", house.server.dataDirectory)
            let keyID = try JSON(parsing: Array(made.output.utf8))["key_id"].string ?? ""
            let pem = try String(contentsOfFile: file, encoding: .utf8)
            try await house.visit { _, page in
                let outcome = try await house.run(
                    page,
                    """
                    const key = m.testKey({
                      keyID: "\(keyID)", privateKey: \(JSON.string(pem).text), subject: "suite-1",
                    });
                    const idempotencyKey = crypto.randomUUID();
                    const real = window.fetch;
                    window.fetch = async (url, init) => {
                      const answer = await real(url, init);
                      if (String(url).includes("/registration?")) throw new TypeError("lost");
                      return answer;
                    };
                    const lost = await refusal(() => c.register(key, { idempotencyKey }));
                    const [pending] = await c.pendingRegistrations();
                    window.fetch = real;
                    const again = await c.register(key, pending);
                    const session = await c.signIn(m.deviceKey, { profileID: again.profile.id });
                    return [
                      lost, pending.idempotencyKey === idempotencyKey, again.profile.username,
                      again.isNewProfile, (await c.pendingRegistrations()).length,
                      (await c.profiles()).length, session.claims.sub === again.profile.userID,
                      await refusal(() => c.register(key)),
                    ];
                    """)
                #expect(
                    outcome == [
                        "notReachable", true, "suite-1", true, 0, 1, true, "alreadyRegistered",
                    ])
            }
        }

        /// An issuer whose private key this page has, as the app's own service would.
        private static let issuer = """
            const pair = await crypto.subtle.generateKey(
              { name: "ECDSA", namedCurve: "P-256" }, true, ["sign", "verify"]);
            const text = (bytes) => btoa(String.fromCharCode(...new Uint8Array(bytes)));
            const url = (text) => text.replaceAll("+", "-").replaceAll("/", "_")
              .replaceAll("=", "");
            window.vouch = async (subject, life = 300) => {
              const now = Math.floor(Date.now() / 1000);
              const part = (value) => url(btoa(JSON.stringify(value)));
              const message = part({ alg: "ES256", kid: "k1", typ: "JWT" }) + "." + part({
                iss: "https://idp.example", aud: "identity-service", sub: subject,
                jti: crypto.randomUUID(), iat: now, exp: now + life,
              });
              const signature = await crypto.subtle.sign(
                { name: "ECDSA", hash: "SHA-256" }, pair.privateKey,
                new TextEncoder().encode(message));
              return message + "." + url(text(signature));
            };
            return text(await crypto.subtle.exportKey("spki", pair.publicKey));
            """

        @Test("A signed JWT registers and signs in; one in other words is refused, and says why")
        func signedJWT() async throws {
            let house = try await BrowserClientHouse()
            try await house.visit { _, page in
                let spki = try await house.run(page, Self.issuer).string ?? ""
                let pem = "-----BEGIN PUBLIC KEY-----\n\(spki)\n-----END PUBLIC KEY-----\n"
                let file = try house.server.data.write(pem, to: "issuer.pem")
                let added = try await Command.gatehouse(
                    "admin", "issuer-keys", "add", "https://idp.example", "--kid", "k1", "--alg",
                    "ES256", "--public-key-file", file.path(), "--data-dir",
                    house.server.dataDirectory)
                #expect(added.status == 0, "\(added.errors)")
                let outcome = try await house.run(
                    page,
                    """
                    const anna = m.signedJWT(() => window.vouch("anna-7"));
                    const made = await c.register(anna);
                    const byKey = (await c.signIn()).claims.sub;
                    await c.signOut(made.profile.id);
                    const byToken = await c.signIn(anna);
                    const stale = m.signedJWT(() => window.vouch("otto", -60));
                    const used = await window.vouch("olga");
                    await c.register(m.signedJWT(() => used));
                    return [
                      made.profile.username, byKey === byToken.claims.sub,
                      (await c.profiles()).length, await refusal(() => c.register(stale)),
                      await refusal(() => c.register(m.signedJWT(() => used))),
                      (await c.pendingRegistrations()).length,
                    ];
                    """)
                #expect(
                    outcome == ["anna-7", true, 2, "notAuthorized", "alreadyRegistered", 0]
                        || outcome == ["anna-7", true, 2, "notAuthorized", "notAuthorized", 0],
                    "\(outcome.text)")
            }
        }

        @Test("Attack 32: a response that this browser did not request, or another person's")
        func foreignAnswers() async throws {
            let house = try await BrowserClientHouse()
            try await house.visit { _, page in
                let outcome = try await house.run(
                    page,
                    """
                    const state = async () =>
                      new URL(await c.browserRequest()).searchParams.get("state");
                    const back = (query) => refusal(
                      () => c.completeInBrowser("\(house.page)?" + new URLSearchParams(query)));
                    const iss = "\(house.server.issuer)";
                    const once = await state();
                    return [
                      await back({ code: "x", state: "of-nobody", iss }),
                      await back({ code: "x", state: await state(), iss: "https://evil.example" }),
                      await back({ code: "x", state: await state() }),
                      await back({ code: "x", state: once, iss }),
                      await back({ code: "x", state: once, iss }),
                      await back({ error: "access_denied", state: await state(), iss }),
                      await c.completeInBrowser("\(house.page)"),
                    ];
                    """)
                #expect(
                    outcome == [
                        "redirectMismatch", "redirectMismatch", "redirectMismatch",
                        "notAuthorized", "redirectMismatch", "cancelled", .null,
                    ])
            }
        }

        @Test("A page of an origin that is not the client's reads no answer")
        func foreignOrigin() async throws {
            let house = try await BrowserClientHouse()
            try await house.visit { browser, page in
                // The same files, at an address that is registered nowhere.
                try await house.open(browser, at: "http://127.0.0.1:\(house.port)/")
                let outcome = try await house.run(
                    page,
                    """
                    const ask = (path, init) => refusal(() => fetch("\(house.server.issuer)" + path, init));
                    const form = (clientID) => ({ method: "POST", body: new URLSearchParams({
                      grant_type: "refresh_token", refresh_token: "x", client_id: clientID,
                    }) });
                    return [
                      await refusal(() => c.register({ method: "oidc", evidence: () => ({}) })),
                      await ask("/token", form("browser-client")),
                      await ask("/token?client_id=browser-client", form("nobody")),
                      await ask("/.well-known/openid-configuration"),
                    ];
                    """)
                #expect(outcome == ["notReachable", "TypeError", "TypeError", "nothing"])
            }
        }
    }
}
