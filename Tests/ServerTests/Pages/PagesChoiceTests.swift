// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import IdentityProvider
import Primitives
import Storage
import Synchronization
import Testing

@testable import Server

/// The page on which somebody chooses an account.
@Suite struct PagesChoiceTests {
    /// An authorization that wants an account to be chosen.
    private final class Waiting: AuthorizationFlow {
        let chosen = Mutex<[String]>([])

        private func ask() -> FlowStep {
            .chooseAccount(
                SignInAsk(
                    client: ClientFace(name: "<Shop>"), loginHint: nil, redirectOrigin: nil,
                    isSwitching: true))
        }

        func resume(
            _ handle: String, _ request: ServerRequest, _ signedIn: SignedIn?
        ) async throws -> FlowStep { ask() }

        func chooseCurrent(
            _ handle: String, _ request: ServerRequest, _ signedIn: SignedIn
        ) async throws -> FlowStep {
            chosen.withLock { $0.append("\(handle) \(signedIn.person.username)") }
            return .answer(.redirect(to: "https://shop.example.com/callback"))
        }

        func decide(
            _ handle: String, allow: Bool, _ request: ServerRequest, _ signedIn: SignedIn
        ) async throws -> FlowStep { ask() }

        func declineStepUp(
            _ handle: String, _ request: ServerRequest, _ signedIn: SignedIn
        ) async throws -> FlowStep { ask() }
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
        #expect(!page.contains("Confirm that it is you"))
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
