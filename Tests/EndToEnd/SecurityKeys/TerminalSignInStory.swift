// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import Testing

extension EndToEnd {
    /// Registering and signing in with a security key, at the terminal and without a browser.
    @Suite("A security key at the terminal") struct TerminalSignInStory {
        private func gatehouse(
            _ server: ServerProcess, _ key: EmulatedKey, _ arguments: [String],
            _ more: [String: String] = [:]
        ) async throws -> Command.Outcome {
            let environment = [
                "GATEHOUSE_SECURITY_KEY": key.device, "GATEHOUSE_ISSUER": server.issuer,
                "XDG_STATE_HOME": server.data.file("state").path(),
                "GATEHOUSE_SECURITY_KEY_PIN": "2580",
            ].merging(more) { $1 }
            return try await Command.run(
                try EmulatedKey.setsid, [Repository.gatehouse.path()] + arguments,
                environment: environment)
        }

        @Test("a person registers a key with their password, signs in with it, and is who they are")
        func registerAndLogin() async throws {
            let server = try await ServerProcess("terminal-key")
            try await server.apply(DeclaredState(users: [DeclaredState.user("anna")]).text)
            let key = try await EmulatedKey()
            _ = try await key.command("set-pin", newPIN: "2580")
            let wrong = try await gatehouse(
                server, key, ["register", "security-key", "--username", "anna"],
                ["GATEHOUSE_PASSWORD": "wrong"])
            #expect(wrong.status == 1 && wrong.errors.contains("password"), "\(wrong)")
            let none = try await gatehouse(server, key, ["login", "--security-key"])
            #expect(none.status == 1 && none.errors.contains("no credential"), "\(none)")
            let registered = try await gatehouse(
                server, key, ["register", "security-key", "--username", "anna"],
                ["GATEHOUSE_PASSWORD": DeclaredState.password])
            #expect(registered.status == 0, "\(registered)")
            let login = try await gatehouse(server, key, ["login", "--security-key", "--json"])
            #expect(login.status == 0, "\(login)")
            let person = try await gatehouse(server, key, ["whoami", "--json"])
            #expect(person.output.contains("anna"), "\(person)")
            let twice = try await gatehouse(
                server, key, ["register", "security-key", "--username", "anna"],
                ["GATEHOUSE_PASSWORD": DeclaredState.password])
            #expect(twice.status == 1 && twice.errors.contains("already registered"), "\(twice)")
            let unasked = try await gatehouse(server, key, ["unregister", "security-key"])
            #expect(unasked.status == 2 && unasked.errors.contains("--yes"), "\(unasked)")
            let gone = try await gatehouse(server, key, ["unregister", "security-key", "--yes"])
            #expect(gone.status == 0 && gone.output.contains("removed"), "\(gone)")
            let after = try await gatehouse(server, key, ["login", "--security-key"])
            #expect(after.status == 1, "\(after)")
            try await key.stop()
            try await server.stop()
        }

        @Test("a new account begins with a key; its passkey is seen on the key, and deleted")
        func newAccount() async throws {
            let server = try await ServerProcess("terminal-new")
            try await server.apply(DeclaredState().text)
            let key = try await EmulatedKey()
            _ = try await key.command("set-pin", newPIN: "2580")
            let made = try await gatehouse(
                server, key,
                [
                    "register", "security-key", "--new", "--username", "bert", "--name", "Bert",
                    "--email", "bert@example.com",
                ])
            #expect(made.status == 0, "\(made)")
            let login = try await gatehouse(server, key, ["login", "--security-key"])
            #expect(login.status == 0 && login.output.contains("bert"), "\(login)")
            let last = try await gatehouse(server, key, ["unregister", "security-key", "--yes"])
            #expect(last.status == 1 && last.errors.contains("last"), "\(last)")

            let list = try await key.command("credentials", "list", "--json", pin: "2580")
            let whole = try #require(
                try JSON(parsing: Array(list.output.utf8))[0]["id"].string, "\(list)")
            // A hyphen in front would begin an option.
            let id = String(whole.drop { $0 == "-" })
            #expect(try JSON(parsing: Array(list.output.utf8))[0]["rpId"].string == "localhost")
            let unasked = try await key.command("credentials", "delete", id, pin: "2580")
            #expect(
                unasked.status == 2 && unasked.errors.contains("bert at localhost"), "\(unasked)")
            // An empty variable of a script, and a beginning of no id.
            for wrong in ["", "*"] {
                let none = try await key.command(
                    "credentials", "delete", wrong, "--yes", pin: "2580")
                #expect(none.status == 1 && none.errors.contains("has that id"), "\(none)")
            }
            let gone = try await key.command("credentials", "delete", id, "--yes", pin: "2580")
            #expect(gone.status == 0, "\(gone)")
            let empty = try await key.command("credentials", "list", "--json", pin: "2580")
            #expect(empty.output == "[]\n", "\(empty)")
            let after = try await gatehouse(server, key, ["login", "--security-key"])
            #expect(after.status == 1)
            try await key.stop()
            try await server.stop()
        }

        @Test("a provider that is not there is told of in plain words")
        func unreachable() async throws {
            let key = try await EmulatedKey()
            let port = try Connection.freePort()
            let login = try await Command.gatehouse(
                "login", "--security-key", "--key-device", key.device, "--issuer",
                "http://localhost:\(port)")
            #expect(login.status == 1 && login.errors.contains("cannot be reached"), "\(login)")
            #expect(login.errors.contains("Connection refused") && !login.errors.contains("errno"))
            try await key.stop()
        }

        @Test("a key without a touch ends with a sentence after the timeout")
        func denied() async throws {
            let server = try await ServerProcess("terminal-denied")
            try await server.apply(DeclaredState().text)
            let key = try await EmulatedKey(touch: "deny")
            _ = try await key.command("set-pin", newPIN: "2580")
            let made = try await gatehouse(
                server, key, ["register", "security-key", "--new", "--username", "carl"])
            #expect(made.status == 1 && made.errors.contains("refused"), "\(made)")
            try await key.stop()
            try await server.stop()
        }
    }
}
