// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import Testing

extension EndToEnd {
    /// An independent resource server requires a key as RFC 9470 specifies, and an independent
    /// client responds to the challenge; neither has code specific to Gatehouse.
    @Suite(
        "An API that wants to see a key",
        .enabled(
            if: WebDriver.isInstalled && Repository.hasPeers,
            "needs chromium, chromedriver and .venv of Scripts/bootstrap"))
    struct StepUpAPIStory {
        @Test("each transfer asks for the key and for nothing else, however fresh the sign-in is")
        func transfers() async throws {
            try await withBank { browser, house, bank in
                try await house.signIn(browser, "anna")
                // Without a key the person is asked for what there is, and the API says no.
                try await browser.open(bank)
                try await browser.arrives(at: "/sign-in")
                try await house.signIn(browser, "anna")
                try await browser.shows("Not transferred")
                _ = try await addKey(browser, house)
                for _ in 1...2 {
                    try await browser.open(bank)
                    try await browser.arrives(at: "/step-up")
                    try await browser.shows("Bank-App")
                    #expect(try await !browser.exists("[name=password]"))
                    #expect(try await !browser.exists("[name=username]"))
                    try await browser.click("[data-action=passkey-sign-in]")
                    try await browser.arrives(at: bank)
                    try await browser.shows("Transferred: phr")
                    #expect(try await browser.text.contains("hwk"))
                }
            }
        }

        @Test("a person with the key who denies returns to the app, and does not reach the API")
        func declined() async throws {
            try await withBank { browser, house, bank in
                try await house.signIn(browser, "anna")
                // The key is not at hand.
                try await addKey(browser, house).remove()
                try await browser.open(bank)
                try await browser.arrives(at: "/step-up")
                try await browser.click("[data-action=step-up-decline]")
                // Nothing that was shown before counts (max_age=0): the password, then.
                try await browser.arrives(at: "/sign-in")
                try await house.signIn(browser, "anna")
                try await browser.arrives(at: bank)
                try await browser.shows("Not transferred")
            }
        }

        private func addKey(
            _ browser: WebDriver, _ house: DemoHouse
        ) async throws -> VirtualAuthenticator {
            let key = try await browser.addAuthenticator(.key(over: "usb"))
            try await browser.open(house.issuer + "/account")
            try await browser.click("[data-action=security-key-register]")
            try await eventually("the account lists the key") {
                try await browser.count("[data-action=credential-lost]") == 1 ? true : nil
            }
            return key
        }

        private func withBank(
            _ story: (WebDriver, DemoHouse, String) async throws -> Void
        ) async throws {
            let server = try await ServerProcess("step-up-api")
            let port = try Connection.freePort()
            let home = "http://localhost:\(port)"
            try await server.apply(
                DeclaredState(
                    clients: [
                        DeclaredState.web("bank-app", redirect: home + "/callback"),
                        DeclaredState.service("bank-api", scope: "introspect"),
                    ], users: [DeclaredState.user("anna")]
                ).text)
            let log = try Repository.outputFile("step-up-bank.log")
            let bank = try ChildProcess(
                Repository.python,
                [
                    Repository.peers.appending(path: "oauth/step_up_api.py").path(), server.issuer,
                    "\(port)", DeclaredState.secret, DeclaredState.secret,
                ], log: log)
            try await eventually("the bank is open") {
                guard bank.isRunning else { throw HarnessError(bank.lastWords) }
                return try String(contentsOf: log, encoding: .utf8).contains("ready") ? true : nil
            }
            let house = DemoHouse(server: server)
            try await house.visit { browser in
                try await story(browser, house, home + "/transfer")
            }
            try await bank.stop()
            try await server.stop()
        }
    }
}
