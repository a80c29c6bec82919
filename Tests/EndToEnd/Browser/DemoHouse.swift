// SPDX-License-Identifier: Apache-2.0
import Support

/// `serve --demo` with Anna, and the apps Shop and Wiki.
struct DemoHouse {
    let server: ServerProcess

    var issuer: String { server.issuer }
    var shop: String { "http://localhost:\(server.port + 1)" }
    var wiki: String { "http://localhost:\(server.port + 2)" }

    /// Creates a fixture without the demo apps.
    init(server: ServerProcess) { self.server = server }

    /// - Parameter webauthn: The project's policy for keys, if it differs from the default.
    init(
        clients: [JSON] = [], webauthn: JSON = .null, on database: StoryDatabase = .sqlite
    ) async throws {
        server = try await ServerProcess(
            "browser-\(database)", arguments: ["--demo"] + database.options())
        var state = DeclaredState(clients: clients, users: [DeclaredState.user("anna")])
        state.webauthn = webauthn
        try await server.apply(state.text)
    }

    /// Opens a browser during `story`. A failure saves a picture of the last page.
    func visit(
        _ window: WebDriver.Window = .init(), _ story: (WebDriver) async throws -> Void
    ) async throws {
        let browser = try await WebDriver(window)
        do {
            try await story(browser)
        } catch {
            _ = try? await browser.screenshot("failure")
            await browser.quit()
            throw error
        }
        await browser.quit()
    }

    /// Types user name and password on the page that is open.
    func signIn(_ browser: WebDriver, _ username: String) async throws {
        if try await !browser.exists("[name=password]") {
            try await browser.open(issuer + "/sign-in")
        }
        try await browser.type(username, into: "[name=username]")
        try await browser.type(DeclaredState.password, into: "[name=password]")
        try await browser.click("[data-action=sign-in]")
        try await eventually("\(username) is signed in") {
            try await browser.url.contains("/sign-in") ? nil : true
        }
    }

    /// Presses the sign-in button of a demo app, when it shows one.
    func enter(_ browser: WebDriver, _ app: String) async throws {
        if try await browser.exists("[data-action=sign-in]") {
            try await browser.click("[data-action=sign-in]")
        }
    }
}
