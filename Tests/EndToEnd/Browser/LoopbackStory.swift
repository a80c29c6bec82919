// SPDX-License-Identifier: Apache-2.0
import Foundation
import GatehouseClient
import Support
import Synchronization
import Testing

extension EndToEndBrowser {
    /// The SDK's browser flow on a desktop: a page of the provider in a real browser, whose answer
    /// comes to a port of this machine (RFC 8252 section 7.3).
    @Suite(
        "An app that opens a browser",
        .enabled(if: WebDriver.isInstalled, "needs chromium and chromedriver"))
    struct LoopbackStory {
        private static let app: JSON = [
            "client_id": "notes", "client_name": "Notes", "token_endpoint_auth_method": "none",
            "grant_types": [
                "authorization_code", "refresh_token",
                "urn:ietf:params:oauth:grant-type:jwt-bearer",
            ],
            "redirect_uris": ["http://127.0.0.1/callback"],
            "scope": "openid profile offline_access registration", "first_party": true,
        ]

        private static let pin = "24681"

        /// Registers the person at the browser.
        private func register(
            _ client: IdentityClient, in browser: WebDriver,
            _ act: @escaping @Sendable (WebDriver) async throws -> Void
        ) async throws -> RegistrationOutcome {
            let failure = Mutex<(any Error)?>(nil)
            let flow = client.register()
            let presenter = LoopbackPresenter { url in
                do {
                    try await browser.open(url.absoluteString)
                    try await act(browser)
                } catch { failure.withLock { $0 = error } }
            }
            for try await step in flow {
                switch step {
                case .browser(let challenge): try await challenge.present(with: presenter)
                case .createPIN(let challenge): try challenge.respond(with: PIN(Self.pin))
                case .enterPIN, .custom: Issue.record("an unexpected step")
                }
            }
            if let failure = failure.withLock({ $0 }) { throw failure }
            return try await flow.outcome
        }

        @Test(
            "A person registers on the provider's page and with a PIN; again without a sign-in",
            .timeLimit(.minutes(5)), arguments: StoryDatabase.available)
        func registers(on database: StoryDatabase) async throws {
            let server = try await ServerProcess(
                "loopback-\(database)", arguments: try database.options())
            var state = DeclaredState()
            state.clients = [Self.app]
            state.users = [DeclaredState.user("anna")]
            try await server.apply(state.text)
            let client = try IdentityClient(
                configuration: ClientConfiguration(issuer: server.issuer, clientID: "notes"),
                store: InMemorySecureStore(), keys: InMemoryKeyStore())
            let browser = try await WebDriver()
            do {
                let first = try await register(client, in: browser) { page in
                    try await page.type("anna", into: "[name=username]")
                    try await page.type(DeclaredState.password, into: "[name=password]")
                    try await page.click("[data-action=sign-in]")
                    try await page.arrives(at: "127.0.0.1")
                }
                #expect(first.isNewProfile && first.profile.username == "anna")
                #expect(first.profile.hasPIN && first.profile.installationID != nil)
                try await client.signOut(first.profile.id)
                let signIn = client.authenticate(first.profile.id)
                for try await case .enterPIN(let challenge) in signIn {
                    try challenge.respond(with: PIN(Self.pin))
                }
                let methods = try await signIn.outcome.idToken?.claim("amr", as: [String].self)
                #expect(methods == ["swk", "pin", "mfa"])
                #expect(try await first.session.accessToken().isBoundToKey)
                let again = try await register(client, in: browser) { page in
                    try await page.arrives(at: "127.0.0.1")
                }
                #expect(!again.isNewProfile && again.profile.id == first.profile.id)
            } catch {
                await browser.quit()
                throw error
            }
            await browser.quit()
            try await server.stop()
        }
    }
}
