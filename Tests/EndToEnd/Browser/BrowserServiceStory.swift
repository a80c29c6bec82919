// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import Testing

extension EndToEndBrowser {
    /// The browser client in Chromium, with an identity provider of the operator's own behind it:
    /// the one of `Examples/identity-provider`.
    @Suite(
        "The browser client and a service of the operator's own",
        .enabled(if: WebDriver.isInstalled, "needs chromium and chromedriver"),
        .enabled(if: Repository.hasPeers, "needs the packages from PyPI: make bootstrap"))
    struct BrowserServiceStory {
        /// A page, and the service; registering by it in one step (`card`) and in two (`badge`).
        private func visit(
            _ name: String, on database: StoryDatabase = .sqlite,
            _ story: (BrowserClientHouse, ChildProcess, WebAuthnPage) async throws -> Void
        ) async throws {
            let port = try Connection.freePort()
            func provider(_ id: String, twoStep: Bool) -> JSON {
                [
                    "id": .string(id), "name": .string(id.capitalized), "enabled": true,
                    "url": .string("http://127.0.0.1:\(port)/"), "two_step": .bool(twoStep),
                ]
            }
            let house = try await BrowserClientHouse(
                name, on: database,
                .init(registration: [
                    "identity_providers": [
                        provider("badge", twoStep: true), provider("card", twoStep: false),
                    ]
                ]))
            let example = Repository.root.appending(
                path: "Examples/identity-provider/identity_provider.py")
            let service = try ChildProcess(
                Repository.python,
                [
                    example.path(), "--issuer", house.server.issuer, "--listen",
                    "127.0.0.1:\(port)",
                ], log: Repository.outputFile("\(name)-service.log"))
            try await eventually("the service listens") {
                _ = try await exchange(.init(path: "/"), port: port)
                return true
            }
            try await house.visit { _, page in try await story(house, service, page) }
            _ = try? await service.stop()
        }

        @Test(
            "In two steps, again after a wrong code; a repetition sends no request",
            arguments: StoryDatabase.available)
        func twoSteps(on database: StoryDatabase) async throws {
            try await visit("browser-badge", on: database) { house, _, page in
                let outcome = try await house.run(
                    page,
                    """
                    const listed = (await c.identityProviders())
                      .map(({ id, method }) => id + method);
                    const [said, codes] = [[], ["0000", "2468"]];
                    const answer = ({ stage, payload }) => {
                      said.push(stage, payload?.status ?? 0);
                      return stage === "start" ? "4711" : codes.shift();
                    };
                    const idempotencyKey = crypto.randomUUID();
                    const made = await c.registerWith("badge", answer, { idempotencyKey });
                    const asked = () => { throw new RangeError("asked"); };
                    const again = await c.registerWith("badge", asked, { idempotencyKey });
                    const session = await c.signIn();
                    return [
                      listed.sort().join(), said.join(), made.profile.username,
                      made.isNewProfile, again.profile.id === made.profile.id,
                      again.isNewProfile, session.claims.sub === made.profile.userID,
                      await refusal(() => c.registerWith("card", asked, { idempotencyKey })),
                      (await c.pendingRegistrations()).length,
                    ];
                    """)
                #expect(
                    outcome == [
                        "badgecustomTwoStep,cardcustomOneStep",
                        "start,0,complete,2000,complete,4001", "anna", true, true, false, true,
                        "registrationIDTaken", 0,
                    ], "\(outcome.text)")
            }
        }

        @Test("In one step; and an answer that was lost is found without asking the person again")
        func oneStep() async throws {
            try await visit("browser-card") { house, _, page in
                let outcome = try await house.run(
                    page,
                    """
                    const real = window.fetch;
                    window.fetch = async (url, init) => {
                      const answer = await real(url, init);
                      if (String(url).includes("/registration?")) throw new TypeError("lost");
                      return answer;
                    };
                    const idempotencyKey = crypto.randomUUID();
                    const lost = await refusal(
                      () => c.registerWith("card", () => "4711 2468", { idempotencyKey }));
                    const [pending] = await c.pendingRegistrations();
                    window.fetch = real;
                    const again = await c.registerWith(
                      "card", () => { throw new RangeError("asked"); }, pending);
                    return [
                      lost, pending.idempotencyKey === idempotencyKey, pending.method,
                      again.profile.username, (await c.pendingRegistrations()).length,
                      (await c.signIn()).claims.sub === again.profile.userID,
                    ];
                    """)
                #expect(
                    outcome == ["notReachable", true, "customOneStep", "anna", 0, true],
                    "\(outcome.text)")
            }
        }

        @Test("What the service refuses is refused in its words, and leaves nothing behind")
        func refused() async throws {
            try await visit("browser-badge-no") { house, _, page in
                let outcome = try await house.run(
                    page,
                    """
                    const no = await c.registerWith("badge", () => "4712").catch((error) => error);
                    const said = no.providerAnswer;
                    return [
                      no.code, no.retry, said?.status, said?.data,
                      await refusal(() => c.registerWith("letter", () => "4711")),
                      await refusal(() => c.registerWith("card", () => "x".repeat(8193))),
                      await refusal(() => c.registerWith("card", () => 4711)),
                      (await c.profiles()).length, (await c.pendingRegistrations()).length,
                    ];
                    """)
                #expect(
                    outcome == [
                        "identityProviderRefused", "never", 5001, "nobody has that number",
                        "identityProviderInvalid", "requestInvalid", "requestInvalid", 0, 0,
                    ], "\(outcome.text)")
            }
        }

        @Test("A cancellation between the steps registers no person; the service is informed")
        func givenUp() async throws {
            try await visit("browser-badge-up") { house, _, page in
                let outcome = try await house.run(
                    page,
                    """
                    const real = window.fetch;
                    let told;
                    const first = new Promise((done) => { told = done; });
                    window.fetch = async (url, init) => {
                      const answer = await real(url, init);
                      if (String(url).includes("/registration/cancel?")) told(answer.status);
                      return answer;
                    };
                    const leave = ({ stage }) => {
                      if (stage === "complete") throw new RangeError("no");
                      return "4711";
                    };
                    const thrown = await refusal(() => c.registerWith("badge", leave));
                    const status = await first;
                    const again = new Promise((done) => { told = done; });
                    const abort = new AbortController();
                    const aborted = await refusal(() => c.registerWith("badge", ({ stage }) => {
                      if (stage === "complete") abort.abort();
                      return "4711";
                    }, { signal: abort.signal }));
                    return [
                      thrown, status, aborted, await again, (await c.profiles()).length,
                      (await c.pendingRegistrations()).length,
                    ];
                    """)
                #expect(
                    outcome == ["RangeError", 204, "cancelled", 204, 0, 0], "\(outcome.text)")
            }
        }

        @Test("A service that is away is no refusal: later perhaps")
        func away() async throws {
            try await visit("browser-badge-away") { house, service, page in
                _ = try await service.stop()
                let outcome = try await house.run(
                    page,
                    """
                    const no = await c.registerWith("card", () => "4711 2468")
                      .catch((error) => error);
                    return [no.code, no.retry, (await c.pendingRegistrations()).length];
                    """)
                #expect(
                    outcome == ["identityProviderUnavailable", "later", 0], "\(outcome.text)")
            }
        }
    }
}
