// SPDX-License-Identifier: Apache-2.0
import Foundation
import Primitives
import Support
import Testing

extension EndToEndBrowser {
    /// The browser client in Chromium: what a desk asks Anna to approve in her browser.
    @Suite(
        "The browser client's approvals",
        .enabled(if: WebDriver.isInstalled, "needs chromium and chromedriver"))
    struct BrowserApprovalStory {
        private static let askGrant = "urn:openid:params:grant-type:ciba"

        /// Anna, signed in by the provider's page, whose browser has a key.
        private func visit(
            _ name: String, on database: StoryDatabase = .sqlite,
            _ story: (BrowserClientHouse, WebAuthnPage) async throws -> Void
        ) async throws {
            let house = try await BrowserClientHouse(
                name, on: database,
                .init(
                    registration: ["approvals": ["enabled": true]],
                    clients: [
                        [
                            "client_id": "desk", "client_name": "The desk",
                            "client_secret": .string(DeclaredState.secret),
                            "token_endpoint_auth_method": "client_secret_basic",
                            "grant_types": [.string(Self.askGrant)], "scope": "openid",
                        ]
                    ]))
            try await house.visit { browser, page in
                try await house.signInOverPage(browser)
                _ = try await house.run(page, "return c.registerInstallation();")
                try await story(house, page)
            }
        }

        private func post(
            _ house: BrowserClientHouse, _ path: String, _ fields: [(String, String)]
        ) async throws -> JSON {
            let credentials = Base64.encode(Array("desk:\(DeclaredState.secret)".utf8))
            let answer = try await house.server.post(
                path, fields, headers: [("Authorization", "Basic \(credentials)")])
            return try JSON(parsing: answer.body)
        }

        /// Gives what the desk polls with.
        private func ask(
            _ house: BrowserClientHouse, _ message: String
        ) async throws -> String {
            let answer = try await post(
                house, "/bc-authorize",
                [
                    ("scope", "openid"), ("login_hint", "anna"), ("binding_message", message),
                    ("transaction_text", "5 € to Carla\nfor cake"),
                ])
            return try #require(answer["auth_req_id"].string, "\(answer)")
        }

        /// Once: whatever is to come of it has come.
        private func poll(_ house: BrowserClientHouse, _ request: String) async throws -> JSON {
            try await post(
                house, "/token", [("grant_type", Self.askGrant), ("auth_req_id", request)])
        }

        @Test(
            "She says yes and no, signed by her browser's key; each counts once",
            arguments: StoryDatabase.available)
        func answers(on database: StoryDatabase) async throws {
            try await visit("browser-approvals", on: database) { house, page in
                let before = try await house.run(
                    page,
                    """
                    const out = await refusal(() => c.approvals.pending());
                    const none = await c.approvals.enrollment();
                    await c.approvals.enroll(undefined, { pushToken: "pushed" });
                    const { hasPushToken } = await c.approvals.enrollment();
                    return [out, none, hasPushToken, (await c.approvals.pending()).length];
                    """)
                #expect(before == ["notEnrolled", .null, true, 0], "\(before.text)")
                let first = try await ask(house, "Pay 5 €")
                let yes = try await house.run(
                    page,
                    """
                    const real = window.fetch;
                    let losses = 1;
                    window.fetch = async (url, init) => {
                      const answer = await real(url, init);
                      const isAnswer = /approvals\\/[^/]+\\?/.test(String(url));
                      if (isAnswer && losses-- > 0) throw new TypeError("lost");
                      return answer;
                    };
                    const [request] = await c.approvals.pending();
                    const told = await c.approvals.handle(request, ({ message }) => message !== "");
                    window.fetch = real;
                    return [
                      request.clientName, request.message, request.transactionText, told, losses,
                      (await c.approvals.pending()).length,
                      await refusal(() => c.approvals.handle(request, () => false)),
                    ];
                    """)
                #expect(
                    yes == [
                        "The desk", "Pay 5 €", "5 € to Carla\nfor cake", "approved", -1, 0,
                        "approvalHandled",
                    ], "\(yes.text)")
                #expect(try await poll(house, first)["id_token"].string != nil)
                let second = try await ask(house, "Pay 500 €")
                let no = try await house.run(
                    page,
                    """
                    const [request] = await c.approvals.pending();
                    return c.approvals.handle(request, () => false);
                    """)
                #expect(no == "denied")
                #expect(try await poll(house, second)["error"] == "access_denied")
            }
        }

        @Test("What she did not say, or was not shown, approves nothing: it waits on")
        func wrongAnswers() async throws {
            try await visit("browser-approvals-no") { house, page in
                _ = try await house.run(page, "await c.approvals.enroll(); return 0;")
                let request = try await ask(house, "Pay 5 €")
                let outcome = try await house.run(
                    page,
                    """
                    const [request] = await c.approvals.pending();
                    const handle = (changes, decide = () => true) => refusal(
                      () => c.approvals.handle({ ...request, ...changes }, decide));
                    return [
                      await handle({}, () => undefined),
                      await handle({}, () => { throw new RangeError("no"); }),
                      await handle({ message: "Pay 1 €" }),
                      await handle({ transactionText: "" }),
                      await handle({ nonce: "other" }),
                      await handle({ id: "01900000-0000-7000-8000-000000000000" }),
                      await handle({ id: "other" }),
                      (await c.approvals.pending()).length,
                    ];
                    """)
                #expect(
                    outcome == [
                        "cancelled", "RangeError", "approvalRefused", "approvalRefused",
                        "approvalRefused", "approvalNotFound", "approvalNotFound", 1,
                    ], "\(outcome.text)")
                #expect(try await poll(house, request)["error"] == "authorization_pending")
            }
        }

        @Test("A code on another screen is hers; a wrong one is unknown")
        func codes() async throws {
            try await visit("browser-approval-code") { house, page in
                _ = try await house.run(page, "await c.approvals.enroll(); return 0;")
                let asked = try await post(
                    house, "/bc-authorize",
                    [("scope", "openid"), ("approval_code", "true"), ("binding_message", "Door")])
                let code = try #require(asked["approval_code"].string, "\(asked)")
                let outcome = try await house.run(
                    page,
                    """
                    const scanned = "https://door.example/?approval_code=\(code)";
                    const wrong = await refusal(() => c.approvals.resolve("BBBB-BBBB"));
                    const request = await c.approvals.resolve(scanned);
                    return [wrong, request.message, await c.approvals.handle(request, () => true)];
                    """)
                #expect(outcome == ["approvalNotFound", "Door", "approved"], "\(outcome.text)")
            }
        }

        @Test("A listener receives each event once, and none after it stops or is unenrolled")
        func listening() async throws {
            try await visit("browser-approval-list") { house, page in
                _ = try await house.run(page, "await c.approvals.enroll(); return 0;")
                _ = try await ask(house, "First")
                let first = try await house.run(
                    page,
                    """
                    const end = window.end = new AbortController();
                    const reader = window.reader =
                      c.approvals.requests(undefined, { signal: end.signal });
                    const { value } = await reader.next();
                    window.second = reader.next();
                    return value.message;
                    """)
                #expect(first == "First")
                _ = try await ask(house, "Second")
                let rest = try await house.run(
                    page,
                    """
                    c.approvals.received();
                    const { value } = await window.second;
                    const over = window.reader.next();
                    window.end.abort();
                    const { done } = await over;
                    await c.approvals.unenroll();
                    return [value.message, done, await refusal(() => c.approvals.pending())];
                    """)
                #expect(rest == ["Second", true, "notEnrolled"], "\(rest.text)")
            }
        }

        @Test("In a project without approvals, or a browser without a key, enrollment is refused")
        func notOffered() async throws {
            let closed = try await BrowserClientHouse("browser-approvals-off")
            try await closed.visit { browser, page in
                try await closed.signInOverPage(browser)
                let outcome = try await closed.run(
                    page,
                    """
                    await c.registerInstallation();
                    return refusal(() => c.approvals.enroll());
                    """)
                #expect(outcome == "approvalsNotOffered")
            }
            let open = try await BrowserClientHouse(
                "browser-approvals-on", .init(registration: ["approvals": ["enabled": true]]))
            try await open.visit { browser, page in
                try await open.signInOverPage(browser)
                let outcome = try await open.run(
                    page, "return refusal(() => c.approvals.enroll());")
                #expect(outcome == "approvalsNotOffered")
            }
        }
    }
}
