// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support

/// `Examples/browser-client` as a separate site, and its provider.
struct BrowserClientHouse {
    let server: ServerProcess
    let port: Int
    private let site: ChildProcess
    private let files: TemporaryDirectory

    /// The registered one. The same site at 127.0.0.1 is another origin.
    var origin: String { "http://localhost:\(port)" }
    var page: String { origin + "/" }

    /// What a story needs beyond the page itself.
    struct Rules {
        /// Of `registration`, besides the usual methods.
        var registration: [String: JSON] = [:]
        /// Other clients.
        var clients: [JSON] = []
        /// Of the page's client, beyond the usual ones.
        var scopes: [String] = []
    }

    init(
        _ name: String = "browser-client", on database: StoryDatabase = .sqlite,
        _ rules: Rules = Rules()
    ) async throws {
        let server = try await ServerProcess(
            "\(name)-\(database)", arguments: try database.options())
        let port = try Connection.freePort()
        files = try Self.copyPage(for: server.issuer)
        guard let python = Repository.path(of: "python3") else {
            throw HarnessError("python3 is not installed")
        }
        site = try ChildProcess(
            python,
            [
                "-m", "http.server", String(port), "--bind", "127.0.0.1", "--directory",
                files.url.path(),
            ], log: files.file("site.log"))
        try await eventually("the site answers") {
            try await exchange(.init(path: "/"), port: port).status == 200 ? true : nil
        }
        try await server.apply(
            Self.state(redirect: "http://localhost:\(port)/", of: server.issuer, rules))
        self.server = server
        self.port = port
    }

    /// The example as it is, but for the address of its provider.
    private static func copyPage(for issuer: String) throws -> TemporaryDirectory {
        let files = try TemporaryDirectory()
        let folder = Repository.root.appending(path: "Examples/browser-client")
        for name in ["index.html", "page.css", "page.js"] {
            let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
            try files.write(
                text.replacingOccurrences(of: "http://localhost:8080", with: issuer), to: name)
        }
        return files
    }

    private static func state(
        redirect: String, of issuer: String, _ rules: Rules
    ) -> String {
        let scopes = ["openid", "profile", "offline_access", "registration"] + rules.scopes
        let client: JSON = [
            "client_id": "browser-client", "client_name": "Browser client",
            "token_endpoint_auth_method": "none", "first_party": true,
            "grant_types": [
                "authorization_code", "refresh_token",
                "urn:ietf:params:oauth:grant-type:jwt-bearer",
                "urn:ietf:params:oauth:grant-type:token-exchange",
            ],
            "redirect_uris": [.string(redirect)], "exchange_audiences": ["ledger"],
            "web_handoff_uris": [.string(issuer + "/account")],
            "scope": .string(scopes.joined(separator: " ")),
        ]
        let methods = ["oidc", "signedJWT", "testKey", "customOneStep", "customTwoStep"]
        let registration = rules.registration.merging(
            ["methods": .array(methods.map(JSON.string))]) { $1 }
        let project: JSON = [
            "name": "default", "environment": "development",
            "registration": .object(registration), "clients": .array([client] + rules.clients),
            "users": [DeclaredState.user("anna")],
        ]
        return JSON.object(["projects": [project]]).text
    }

    /// Opens a browser at the page during `story`.
    func visit(_ story: (WebDriver, WebAuthnPage) async throws -> Void) async throws {
        try await DemoHouse(server: server).visit { browser in
            try await open(browser)
            try await story(browser, WebAuthnPage(browser: browser))
        }
        await stop()
    }

    func open(_ browser: WebDriver, at address: String? = nil) async throws {
        try await browser.open(address ?? page)
        try await ready(browser)
    }

    func ready(_ browser: WebDriver) async throws {
        _ = try await browser.element("main[data-ready]")
    }

    private func stop() async {
        _ = try? await site.stop()
        _ = try? await server.stop()
    }

    // MARK: What the page does

    /// The module of this provider as `m`, and a client as `c`; then the body of an async function.
    func script(_ body: String) -> String {
        """
        const m = await import("\(server.issuer)/client/gatehouse.js");
        window.c ??= new m.IdentityClient({
          issuer: "\(server.issuer)", clientID: "browser-client", redirectURI: "\(page)",
          installationName: "A story",
        });
        const c = window.c;
        const refusal = async (work) => {
          try { await work(); return "nothing"; } catch (error) {
            return error instanceof m.IdentityError ? error.code : error.name;
          }
        };
        \(body)
        """
    }

    func run(_ page: WebAuthnPage, _ body: String) async throws -> JSON {
        try JSON(parsing: Array(try await page.answer(script(body)).utf8))
    }

    /// Presses the page's button, and waits until it shows the text.
    func press(_ browser: WebDriver, _ action: String, until text: String) async throws {
        try await browser.click("[data-action=\(action)]:enabled")
        try await browser.shows(text)
    }

    /// Anna, with her password, over the provider's page.
    func signInOverPage(_ browser: WebDriver) async throws {
        try await browser.click("[data-action=register-in-browser]")
        try await browser.type("anna", into: "[name=username]")
        try await browser.type(DeclaredState.password, into: "[name=password]")
        try await browser.click("[data-action=sign-in]")
        try await browser.arrives(at: ":\(port)/")
        try await ready(browser)
        try await browser.shows("Signed in: anna.")
    }
}
