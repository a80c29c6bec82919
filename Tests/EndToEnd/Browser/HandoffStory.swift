// SPDX-License-Identifier: Apache-2.0
import Foundation
import GatehouseClient
import GatehouseTesting
import Support
import Testing

extension EndToEndBrowser {
    /// From an app with the SDK to the web, in a real browser.
    @Suite(
        "From the app to the web",
        .enabled(if: WebDriver.isInstalled, "needs chromium and chromedriver"))
    struct HandoffStory {
        /// A provider, and an app in which a person is signed in.
        private struct House {
            let server: ServerProcess
            let session: UserSession
            var account: String { server.issuer + "/account" }

            init(on database: StoryDatabase = .sqlite) async throws {
                server = try await ServerProcess(
                    "handoff-\(database)", arguments: try database.options())
                var state = DeclaredState()
                state.clients = [
                    [
                        "client_id": "notes", "client_name": "Notes",
                        "token_endpoint_auth_method": "none",
                        "grant_types": [
                            "refresh_token", "urn:ietf:params:oauth:grant-type:jwt-bearer",
                        ],
                        "web_handoff_uris": [.string(server.issuer + "/account")],
                        "scope": "openid profile offline_access registration",
                        "first_party": true,
                    ]
                ]
                try await server.apply(state.text)
                let client = try IdentityClient(
                    configuration: ClientConfiguration(issuer: server.issuer, clientID: "notes"),
                    store: InMemorySecureStore(), keys: InMemoryKeyStore())
                try await client.register(.credential(try await Self.testKey(of: server)))
                session = try await client.signIn(.deviceKey)
            }

            private static func testKey(
                of server: ServerProcess
            ) async throws -> TestKeyCredentialProvider {
                let folder = try TemporaryDirectory()
                let file = folder.file("test-key.pem")
                let made = try await Command.gatehouse(
                    "admin", "test-keys", "create", "--name", "web", "--owner", "tests",
                    "--alg", "ES256", "--key-file", file.path(), "--data-dir",
                    server.dataDirectory)
                let keyID = made.errors.split(separator: "\n")
                    .first { $0.hasPrefix("key id: ") }.map { String($0.dropFirst(8)) }
                return try TestKeyCredentialProvider(
                    privateKeyPEM: try String(contentsOf: file, encoding: .utf8),
                    keyID: keyID ?? "", name: "anna")
            }

            func address() async throws -> String {
                guard let target = URL(string: account) else { throw HarnessError(account) }
                return try await session.webHandoff(to: target).url.absoluteString
            }
        }

        private func visit(_ story: (WebDriver) async throws -> Void) async throws {
            let browser = try await WebDriver()
            do { try await story(browser) } catch {
                await browser.quit()
                throw error
            }
            await browser.quit()
        }

        @Test(
            "a person who confirms the account is signed in; the URL is valid once",
            arguments: StoryDatabase.available)
        func followed(on database: StoryDatabase) async throws {
            let house = try await House(on: database)
            let username = house.session.profile.username
            let address = try await house.address()
            try await visit { browser in
                try await browser.open(address)
                try await browser.shows("Is this your account?")
                try await browser.shows(username)
                try await browser.click("[data-action=handoff-accept]")
                try await browser.arrives(at: "/account")
                try await browser.shows(username)
                // What came with the address is in none that the browser goes on with.
                let place = try await browser.run("return location.href + document.referrer")
                #expect(place.string == house.account)
                try await browser.open(house.server.issuer + "/account")
                try await browser.shows(username)
            }
            try await visit { other in
                try await other.open(address)
                try await other.shows("already used")
                #expect(try await !other.text.contains(username))
                try await other.open(house.account)
                try await other.arrives(at: "/sign-in")
            }
            try await house.server.stop()
        }

        @Test("after a sign-out in the app an address that was not opened yet leads nowhere")
        func signedOut() async throws {
            let house = try await House()
            let address = try await house.address()
            var end = ResourceRequest(
                house.server.issuer + "/registration/installations/current", method: "DELETE")
            try await house.session.authorize(&end)
            #expect(try await NetworkTransport().response(to: end).status == 204)
            try await visit { browser in
                try await browser.open(address)
                try await browser.shows("already used")
            }
            try await house.server.stop()
        }
    }
}
