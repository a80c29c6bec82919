// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Primitives
import ProviderCore
import Storage
import Synchronization
import Testing

@testable import HTTPServer
@testable import WebPages

/// The page on which a person chooses an account.
@Suite struct PagesChoiceTests {
    /// An authorization that wants an account to be chosen.
    private final class Waiting: AuthorizationFlow {
        let chosen = Mutex<[String]>([])
        /// Why the account that is signed in will not do.
        let refusal: Refusal?

        init(refusing refusal: Refusal? = nil) { self.refusal = refusal }

        private func ask() -> FlowProgress {
            let ask = SignInPrompt(
                client: ClientDisplayInfo(name: "<Shop>"), loginHint: nil, redirectOrigin: nil,
                isSwitching: true)
            guard let refusal else { return FlowProgress(.chooseAccount(ask)) }
            return FlowProgress(.otherAccount(ask, because: refusal), handle: "next")
        }

        func resume(
            _ handle: String, _ request: ServerRequest, _ signedIn: AuthenticatedSession?
        ) async throws -> FlowProgress { ask() }

        func chooseCurrent(
            _ handle: String, _ request: ServerRequest, _ signedIn: AuthenticatedSession
        ) async throws -> FlowProgress {
            chosen.withLock { $0.append("\(handle) \(signedIn.person.username)") }
            return FlowProgress(.answer(.redirect(to: "https://shop.example.com/callback")))
        }

        func decide(
            _ handle: String, allow: Bool, _ request: ServerRequest,
            _ signedIn: AuthenticatedSession
        ) async throws -> FlowProgress { ask() }

        func declineStepUp(
            _ handle: String, _ request: ServerRequest, _ signedIn: AuthenticatedSession
        ) async throws -> FlowProgress { ask() }
    }

    private let flow = Waiting()

    @Test("the page names the account and offers another one; its button goes on")
    func current() async throws {
        let house = try await PagesHouse(flow: flow)
        var browser = try await house.registered()
        #expect(
            try await browser.get("/continue?continue=h").location
                == "/choose-account?continue=h")
        let page = try await browser.get("/choose-account?continue=h")
        #expect(page.text.contains("Anna Johnson") && page.text.contains("&lt;Shop&gt;"))
        #expect(page.text.contains("data-action=\"account-current\""))
        #expect(page.text.contains("href=\"/sign-in?continue=h\""))
        let answer = try await browser.submit("/choose-account", ["continue": "h"])
        #expect(answer.location == "https://shop.example.com/callback")
        #expect(flow.chosen.withLock { $0 } == ["h anna"])
    }

    @Test("another account is asked for with an empty form, and without the words for one's own")
    func other() async throws {
        let house = try await PagesHouse(flow: flow)
        var browser = try await house.registered()
        let page = try await browser.get("/sign-in?continue=h").text
        #expect(page.contains("name=\"password\"") && !page.contains("value=\"anna\""))
        #expect(!page.contains("Confirm it&#39;s you"))
    }

    @Test("who may not use the client is told so, and may go on with another account")
    func noAccess() async throws {
        let refusing = Waiting(
            refusing: Refusal("client_access", "Not you.", reason: "not in the client's access"))
        let house = try await PagesHouse(flow: refusing)
        var browser = try await house.registered()
        for path in ["/continue", "/choose-account", "/consent", "/step-up"] {
            let page = try await browser.get(path + "?continue=h")
            #expect(page.status == .forbidden, "\(path)")
            #expect(page.text.contains("This account has no access to this app"))
            #expect(page.text.contains("req-1") && page.text.contains("Use another account"))
            // What has changed in the request goes along.
            #expect(page.text.contains("href=\"/sign-in?continue=next\""))
            #expect(page.text.contains("continue=next&amp;lang=de"))
        }
        let form = try await browser.get("/sign-in?continue=next")
        #expect(form.status == .ok && form.text.contains("name=\"password\""))
        #expect(!form.text.contains("value=\"anna\""))
    }

    @Test("without a session, a token or a request nothing is chosen")
    func refused() async throws {
        let house = try await PagesHouse(flow: flow)
        var stranger = house.browser()
        _ = try await stranger.get("/sign-in")
        #expect(
            try await stranger.submit("/choose-account", ["continue": "h"]).location
                == "/sign-in?continue=h")
        var browser = try await house.registered()
        _ = try await browser.get("/choose-account?continue=h")
        #expect(try await browser.submit("/choose-account", [:]).location == "/")
        browser.formToken = "x"
        #expect(
            try await browser.submit("/choose-account", ["continue": "h"]).status == .forbidden)
        #expect(flow.chosen.withLock { $0.isEmpty })
    }
}
