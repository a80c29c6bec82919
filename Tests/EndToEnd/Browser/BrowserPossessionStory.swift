// SPDX-License-Identifier: Apache-2.0
import Support
import Testing

extension EndToEndBrowser {
    /// The browser client's tokens in Chromium: worth nothing without the key that stays there.
    @Suite(
        "The browser client's bound tokens",
        .enabled(if: WebDriver.isInstalled, "needs chromium and chromedriver"))
    struct BrowserPossessionStory {
        /// Returns the script of an attacker with a copied token, against the provider's own
        /// service.
        private func thief(_ house: BrowserClientHouse) -> String {
            """
            const session = await c.session();
            const address = (await (await fetch(
              "\(house.server.issuer)/.well-known/openid-configuration")).json())
              .userinfo_endpoint;
            const { value, isBoundToKey } = await session.accessToken();
            const status = async (headers) => (await fetch(address, { headers })).status;

            """
        }

        @Test("A token that was copied opens nothing: not as a bearer's, and not without a proof")
        func copied() async throws {
            let house = try await BrowserClientHouse("browser-bound")
            try await house.visit { browser, page in
                try await house.signInOverPage(browser)
                let outcome = try await house.run(
                    page,
                    thief(house) + """
                        const own = await session.authorize(address);
                        const proof = own.headers.get("DPoP");
                        return [
                          isBoundToKey, (await session.fetch(address)).status,
                          await status({ Authorization: `Bearer ${value}` }),
                          await status({ Authorization: `DPoP ${value}` }),
                          (await fetch(own)).status,
                          await status({ Authorization: `DPoP ${value}`, DPoP: proof }),
                          await refusal(() => session.authorize("http://evil.example/")),
                        ];
                        """)
                // The last proof was used already.
                #expect(outcome == [true, 200, 401, 401, 200, 401, "requestInvalid"])
            }
        }

        @Test("A proof of another key, for another address or another method opens nothing")
        func foreignProofs() async throws {
            let house = try await BrowserClientHouse("browser-proofs")
            try await house.visit { browser, page in
                try await house.signInOverPage(browser)
                let outcome = try await house.run(
                    page,
                    thief(house) + """
                        const url = (bytes) => btoa(String.fromCharCode(...new Uint8Array(bytes)))
                          .replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
                        const bytes = (text) => new TextEncoder().encode(text);
                        const part = (value) => url(bytes(JSON.stringify(value)));
                        const other = await crypto.subtle.generateKey(
                          { name: "ECDSA", namedCurve: "P-256" }, true, ["sign", "verify"]);
                        const { crv, kty, x, y } =
                          await crypto.subtle.exportKey("jwk", other.publicKey);
                        const message = part({
                          typ: "dpop+jwt", alg: "ES256", jwk: { crv, kty, x, y },
                        }) + "." + part({
                          jti: crypto.randomUUID(), htm: "GET", htu: address,
                          ath: url(await crypto.subtle.digest("SHA-256", bytes(value))),
                          iat: Math.floor(Date.now() / 1000),
                        });
                        const signature = url(await crypto.subtle.sign(
                          { name: "ECDSA", hash: "SHA-256" }, other.privateKey, bytes(message)));
                        const elsewhere = await session.authorize(`${address}/other`);
                        const posted = await session.authorize(
                          new Request(address, { method: "POST" }));
                        const by = (DPoP) => status({ Authorization: `DPoP ${value}`, DPoP });
                        return [
                          await by(`${message}.${signature}`),
                          await by(elsewhere.headers.get("DPoP")),
                          await by(posted.headers.get("DPoP")),
                        ];
                        """)
                #expect(outcome == [401, 401, 401])
            }
        }

        /// What the store of the page holds, by kind.
        private func kept(_ house: BrowserClientHouse) -> String {
            """
            const open = indexedDB.open("gatehouse \(house.server.issuer) browser-client");
            const database = await new Promise((done) => {
              open.onsuccess = () => done(open.result);
            });
            const kept = async (kind, what) => {
              const all = database.transaction("records").objectStore("records")[what](
                IDBKeyRange.bound(`${kind}/`, `${kind}/~`));
              return new Promise((done) => { all.onsuccess = () => done(all.result); });
            };
            const keys = async () => (await kept("key", "getAllKeys")).join();

            """
        }

        @Test("One key from the page's tokens to the installation, and none is left behind")
        func keysOfALife() async throws {
            let house = try await BrowserClientHouse("browser-keys")
            try await house.visit { browser, page in
                try await house.signInOverPage(browser)
                let outcome = try await house.run(
                    page,
                    kept(house) + """
                        const first = await keys();
                        await c.registerInstallation();
                        const registered = await keys();
                        // Once more changes nothing: it is the same key.
                        await c.registerInstallation();
                        const again = await keys();
                        await (await c.session()).refresh();
                        const { profile } = await c.session();
                        await c.signOut(profile.id);
                        const signedOut = await keys();
                        const session = await c.signIn(m.deviceKey, { profileID: profile.id });
                        const { isBoundToKey } = await session.accessToken();
                        const signedIn = await keys();
                        const { isComplete } = await c.remove(profile.id);
                        return [
                          first.split(",").length, registered === first, again === first,
                          signedOut === first, isBoundToKey, signedIn === first, isComplete,
                          await keys(),
                        ];
                        """)
                #expect(outcome == [1, true, true, true, true, true, true, ""])
            }
        }

        @Test("Signed out without an installation, the key of the tokens goes with them")
        func keyOfTokens() async throws {
            let house = try await BrowserClientHouse("browser-key-goes")
            try await house.visit { browser, page in
                try await house.signInOverPage(browser)
                let outcome = try await house.run(
                    page,
                    kept(house) + """
                        const before = await keys();
                        await c.signOut();
                        return [before === "", await keys()];
                        """)
                #expect(outcome == [false, ""])
            }
        }

        @Test("A refresh token without its key is worth nothing")
        func copiedRefreshToken() async throws {
            let house = try await BrowserClientHouse("browser-refresh")
            try await house.visit { browser, page in
                try await house.signInOverPage(browser)
                let outcome = try await house.run(
                    page,
                    kept(house) + """
                        const [tokens] = await kept("tokens", "getAll");
                        const answer = await fetch("\(house.server.issuer)/token", {
                          method: "POST", body: new URLSearchParams({
                            grant_type: "refresh_token", refresh_token: tokens.refreshToken,
                            client_id: "browser-client",
                          }),
                        });
                        const session = await c.session();
                        await session.refresh();
                        return [answer.ok, (await session.accessToken()).isBoundToKey];
                        """)
                #expect(outcome == [false, true])
            }
        }
    }
}
