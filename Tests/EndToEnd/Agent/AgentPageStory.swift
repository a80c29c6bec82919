// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import Testing

extension EndToEndAgent {
    /// People who show themselves on a page of the provider, in a real browser.
    @Suite(
        "The agent and the provider's pages",
        .enabled(
            if: TerminalSession.isAvailable && WebDriver.isInstalled,
            "needs tmux, chromium and chromedriver"))
    struct AgentPageStory {
        /// A provider with web logins, and a machine whose profile wants them.
        private func webLoginMachine(
            _ name: String
        ) async throws -> (ServerProcess, AgentMachine, ChildProcess) {
            let (server, token) = try await ServerProcess.withMachines(
                "\(name)-provider", methods: ["web_login"])
            let machine = try AgentMachine(name)
            try machine.install(profile(server, token))
            let agent = try machine.start()
            _ = try await machine.registered()
            return (server, machine, agent)
        }

        private func profile(_ server: ServerProcess, _ token: String) -> TestProfile {
            var profile = TestProfile(issuer: server.issuer, token: token, method: "OpenID")
            profile.webHosts = ["localhost"]
            return profile
        }

        /// As Anna, in a terminal of a desktop, up to the page that it opens.
        private func begin(
            _ desktop: Desktop, on machine: AgentMachine
        ) async throws -> (TerminalSession, page: String) {
            let terminal = try await desktop.terminal("register", "user", on: machine)
            try await terminal.shows("Your user name")
            try await terminal.type("anna")
            try await terminal.press("Enter")
            return (terminal, try await desktop.page())
        }

        /// Anna signs in on the page, whose answer goes back to the machine.
        private func signIn(on page: String, of server: ServerProcess) async throws {
            try await DemoHouse(server: server).visit { browser in
                try await browser.open(page)
                try await browser.arrives(at: server.issuer + "/sign-in")
                try await browser.type("anna", into: "[name=username]")
                try await browser.type(DeclaredState.password, into: "[name=password]")
                try await browser.click("[data-action=sign-in]")
                try await browser.arrives(at: "http://127.0.0.1:")
                try await browser.shows("You are signed in")
            }
        }

        private func port(of page: String) throws -> Int {
            try #require(Int(page.split(separator: ":")[2].prefix { $0 != "/" }))
        }

        @Test("a web login: what the machine signed is posted, and the code comes back to loopback")
        func webLogin() async throws {
            let (server, machine, agent) = try await webLoginMachine("agent-web-login")
            let (terminal, page) = try await begin(try Desktop(), on: machine)
            #expect(page.hasPrefix("http://127.0.0.1:") && page.contains("/start/"))
            // Others on this machine find the port, and are told that they belong elsewhere.
            let port = try port(of: page)
            for path in ["/callback?code=a&state=b", "/callback?error=access_denied&state=b"] {
                #expect(try await exchange(.init(path: path), port: port).status == 400)
            }
            #expect(try await exchange(.init(path: "/start/guess"), port: port).status == 404)
            try await signIn(on: page, of: server)
            let screen = try await terminal.shows("✓ Signed in as anna")
            #expect(try await terminal.status() == 0)
            #expect(!screen.contains("Password of"))
            let sealed = try await machine.ask("agent", "seal", input: "the key of the disk")
            let opened = try await machine.ask("agent", "unseal", input: sealed.output)
            #expect(opened.output == "the key of the disk", "\(sealed.errors) \(opened.errors)")
            let renewed = try await machine.ask("agent", "sign-in", "--refresh")
            #expect(renewed.status == 0, "\(renewed.errors)")
            #expect(try await agent.stop() == 0)
            try await server.stop()
        }

        @Test("a closed terminal cancels the page, and the sign-in may start again")
        func givenUp() async throws {
            let (server, machine, agent) = try await webLoginMachine("agent-web-login-left")
            // The terminal closes as soon as it has no client.
            let page = try await begin(try Desktop(), on: machine).page
            let port = try port(of: page)
            try await eventually("nobody listens any more") {
                let answer = try? await exchange(.init(path: "/"), port: port, timeout: 2)
                return answer == nil ? true : nil
            }
            let desktop = try Desktop()
            let again = try await desktop.terminal("register", "user", on: machine)
            let next = try await desktop.page()
            #expect(next != page)
            try await signIn(on: next, of: server)
            try await again.shows("✓ Signed in as anna")
            #expect(try await agent.stop() == 0)
            try await server.stop()
        }

        @Test(
            "a profile that wants a page from now on has people sign in on one, and types no password"
        )
        func methodChanges() async throws {
            let (server, token) = try await ServerProcess.withMachines(
                "agent-web-login-change-provider", methods: ["password", "web_login"])
            let machine = try AgentMachine("agent-web-login-change")
            try machine.install(.init(issuer: server.issuer, token: token))
            let agent = try machine.start()
            let key = try await machine.registered()
            try await machine.register([("Password of anna", DeclaredState.password)], as: "anna")
            try machine.install(profile(server, token))
            try await eventually("she is to register anew") {
                try await machine.status()["people"].array?.first?["phase"].string == "waiting"
                    ? true : nil
            }
            let desktop = try Desktop()
            let terminal = try await desktop.terminal("register", "user", on: machine)
            try await signIn(on: try await desktop.page(), of: server)
            let screen = try await terminal.shows("✓ Signed in as anna")
            #expect(!screen.contains("Password of"))
            #expect(try await machine.registered() == key)
            #expect(try await server.livingMachines() == 1)
            #expect(try await agent.stop() == 0)
            try await server.stop()
        }

        @Test(
            "where no passwords are taken, a page lets people register the key that signs from then on"
        )
        func withoutPasswords() async throws {
            let (server, token) = try await ServerProcess.withMachines(
                "agent-no-password-provider", methods: ["user_key"])
            let machine = try AgentMachine("agent-no-password")
            try machine.install(
                .init(issuer: server.issuer, token: token, method: "UserSecureEnclaveKey"))
            let agent = try machine.start()
            _ = try await machine.registered()
            let (terminal, page) = try await begin(try Desktop(), on: machine)
            #expect(page.hasPrefix(server.issuer + "/authorize?"))
            try await DemoHouse(server: server).visit { browser in
                // A person who signed in long ago authenticates again.
                try await DemoHouse(server: server).signIn(browser, "anna")
                try await browser.open(page)
                try await browser.type(DeclaredState.password, into: "[name=password]")
                try await browser.click("[data-action=sign-in]")
                try await browser.arrives(at: "http://127.0.0.1:")
                try await browser.shows("You are signed in")
            }
            let screen = try await terminal.shows("✓ Signed in as anna")
            #expect(try await terminal.status() == 0)
            #expect(!screen.contains("Password of"))
            let again = try await machine.ask("agent", "sign-in")
            #expect(again.status == 0, "\(again.errors)")
            #expect(try await agent.stop() == 0)
            try await server.stop()
        }

        @Test(
            "at a device without a screen a person registers it and themselves from a phone",
            arguments: [[], ["--phone"]])
        func phone(flags: [String]) async throws {
            let (server, _) = try await ServerProcess.withMachines(
                "agent-phone-provider", methods: ["user_key"],
                settings: ["registration_by_people": true])
            let machine = try AgentMachine("agent-phone")
            try machine.install(.init(issuer: server.issuer, method: "UserSecureEnclaveKey"))
            let agent = try machine.start()
            try await machine.answers()
            // Without a display, and with one that is not to be used.
            let terminal = try await TerminalSession(
                Repository.gatehouse,
                ["register", "user", "--socket", machine.socket] + flags, columns: 100, rows: 60,
                environment: [
                    "DISPLAY": "", "WAYLAND_DISPLAY": "", "BROWSER": flags.isEmpty ? "" : "yes",
                ])
            let house = DemoHouse(server: server)
            try await house.visit(.init(width: 420)) { browser in
                let first = try await code(on: terminal, after: "")
                try await allow(browser, first, house)
                // The machine is registered; now the person is.
                try await terminal.shows("Your user name")
                try await terminal.type("anna")
                try await terminal.press("Enter")
                try await allow(browser, try await code(on: terminal, after: first), house)
            }
            try await terminal.shows("✓ Signed in as anna")
            #expect(try await terminal.status() == 0)
            #expect(try await server.livingMachines() == 1)
            #expect(try await machine.ask("agent", "sign-in").status == 0)
            #expect(try await agent.stop() == 0)
            try await server.stop()
        }

        /// The last code that the terminal shows, under a QR code, once it is another than `before`.
        private func code(
            on terminal: TerminalSession, after before: String
        ) async throws -> String {
            try await eventually("a code is shown") {
                let screen = try await terminal.screen()
                guard screen.contains("▄") || screen.contains("█"),
                    let line = screen.split(separator: "\n").last(where: {
                        $0.contains("on any device and enter")
                    }), let code = line.split(separator: " ").last.map(String.init), code != before
                else { return nil }
                return code
            }
        }

        /// On the phone: what the QR code leads to.
        private func allow(
            _ browser: WebDriver, _ code: String, _ house: DemoHouse
        ) async throws {
            try await browser.open(house.issuer + "/device?user_code=" + code)
            if try await browser.exists("[name=password]") {
                try await browser.type("anna", into: "[name=username]")
                try await browser.type(DeclaredState.password, into: "[name=password]")
                try await browser.click("[data-action=sign-in]")
            }
            try await browser.click("[data-action=device-continue]")
            try await browser.shows("Platform SSO")
            try await browser.click("[data-action=consent-allow]")
            try await eventually("the page says it is done") {
                try await browser.exists("[data-action=consent-allow]") ? nil : true
            }
        }
    }
}
