// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation
import Support
import Testing

extension EndToEndAgent {
    /// The storage of keys with real implementations: swtpm's TPM, tokens and cards of SoftHSM.
    @Suite("The agent's keys", .enabled(if: TerminalSession.isAvailable, "needs tmux"))
    struct AgentKeysStory {
        @Test("a key of the person's signs in by itself, after one password")
        func userKey() async throws {
            let (server, token) = try await ServerProcess.withMachines("agent-key-provider")
            let machine = try AgentMachine("agent-key")
            try machine.install(
                .init(issuer: server.issuer, token: token, method: "UserSecureEnclaveKey"))
            let agent = try machine.start()
            _ = try await machine.registered()
            try await machine.register(
                [("Password of anna", DeclaredState.password)], as: "anna")
            let again = try await machine.ask("agent", "sign-in")
            #expect(again.status == 0, "\(again.errors)")
            #expect(try await agent.stop() == 0)
            try await server.stop()
        }

        @Test("a person who mistypes their name or password registers their key all the same")
        func slips() async throws {
            let (server, token) = try await ServerProcess.withMachines("agent-slip-provider")
            let machine = try AgentMachine("agent-slip")
            try machine.install(
                .init(issuer: server.issuer, token: token, method: "UserSecureEnclaveKey"))
            let agent = try machine.start()
            _ = try await machine.registered()
            let terminal = try await machine.terminal("register", "user")
            for (question, answer) in [
                ("Your user name", "ana"), ("Password of ana", DeclaredState.password),
                ("(Enter for ana)", "anna"), ("Password of anna", "wrong"),
                ("(Enter for anna)", ""), ("Password of anna", DeclaredState.password),
            ] {
                try await terminal.shows(question)
                if !answer.isEmpty { try await terminal.type(answer) }
                try await terminal.press("Enter")
            }
            let screen = try await terminal.shows("✓ Signed in as anna")
            #expect(try await terminal.status() == 0)
            #expect(screen.contains("The provider does not know that name and password"))
            #expect(try await agent.stop() == 0)
            try await server.stop()
        }

        @Test(
            "keys live in the TPM, and nothing weaker is ever taken instead",
            .enabled(if: Repository.has("swtpm"), "needs swtpm"))
        func tpm() async throws {
            let (server, token) = try await ServerProcess.withMachines("agent-tpm-provider")
            let folder = try TemporaryDirectory()
            let socket = folder.file("tpm.sock").path()
            let chip = try ChildProcess(
                Repository.path(of: "swtpm") ?? URL(filePath: "/usr/bin/swtpm"),
                [
                    "socket", "--tpm2", "--tpmstate", "dir=\(folder.file(".").path())", "--server",
                    "type=unixio,path=\(socket)", "--ctrl",
                    "type=unixio,path=\(folder.file("ctl").path())", "--flags", "startup-clear",
                ], log: folder.file("log"))
            try await eventually("swtpm listens") {
                FileManager.default.fileExists(atPath: socket) ? true : nil
            }
            let machine = try AgentMachine(
                "agent-tpm", arguments: ["--keys", "tpm", "--tpm", socket])
            try machine.install(.init(issuer: server.issuer, token: token))
            let agent = try machine.start()
            let key = try await machine.registered()
            #expect(try await machine.status()["key_store"].string == "tpm")
            try await agent.stop(SIGKILL)
            let again = try machine.start()
            #expect(try await machine.registered() == key)
            #expect(try await again.stop() == 0)
            try await chip.stop()
            #expect(try await machine.start().ended() == 1)
            #expect(try await server.livingMachines() == 1)
            try await server.stop()
        }

        @Test(
            "a device with an unknown TPM is not registered, and is once its key is known",
            .enabled(if: Repository.has("swtpm"), "needs swtpm"))
        func attestation() async throws {
            // What is demanded cannot be empty: the key of a machine that is somewhere else.
            let stranger = P256.Signing.PrivateKey().publicKey.derRepresentation
            let (server, token) = try await ServerProcess.withMachines(
                "agent-attested-provider",
                settings: Self.attestation(stranger.base64EncodedString()))
            let chip = try await SoftwareTPM()
            let machine = try AgentMachine(
                "agent-attested", arguments: ["--keys", "tpm", "--tpm", chip.path])
            try machine.install(.init(issuer: server.issuer, token: token))
            let agent = try machine.start()
            try await machine.answers()
            let key = try await eventually("the registration is refused") {
                let status = try await machine.status()
                let phase = status["devices"].array?.first?["phase"].string
                return phase == "retrying" ? status["attestation_key"].string : nil
            }
            #expect(try await server.livingMachines() == 0)
            let settings: [String: JSON] = Self.attestation(key).merging(
                ["enabled": true, "allowed_methods": ["password", "user_key"]]) { $1 }
            let state = DeclaredState(
                users: [DeclaredState.user("anna")], platformSSO: .object(settings))
            try await server.apply(state.text)
            _ = try await machine.ask("register", "device")
            _ = try await machine.registered()
            #expect(try await server.livingMachines() == 1)
            #expect(try await agent.stop() == 0)
            try await server.stop()
        }

        private static func attestation(_ key: String) -> [String: JSON] {
            // The registers of a software TPM have no measurements.
            [
                "attestation": ["tpm"], "attestation_tpm_keys": [.string(key)],
                "attestation_tpm_pcrs": [.string("7:" + String(repeating: "0", count: 64))],
            ]
        }

        @Test("a key behind a PIN asks for it in the terminal, and says how many tries are left")
        func pin() async throws {
            let (server, token) = try await ServerProcess.withMachines("agent-pin-provider")
            let machine = try AgentMachine("agent-pin")
            var profile = TestProfile(
                issuer: server.issuer, token: token, method: "UserSecureEnclaveKey")
            profile.pin = 6
            try machine.install(profile)
            let agent = try machine.start()
            _ = try await machine.registered()
            try await machine.register(
                [
                    ("Password of anna", DeclaredState.password), ("Choose a PIN", "3141-59"),
                    ("The same PIN again", "3141-59"), ("PIN of your key", "3141-59"),
                ], as: "anna")
            let terminal = try await machine.terminal("agent", "sign-in")
            for (question, answer) in [
                ("PIN of your key:", "000001"), ("(7 tries left)", "3141-59"),
            ] {
                try await terminal.shows(question)
                try await terminal.type(answer)
                try await terminal.press("Enter")
            }
            let screen = try await terminal.shows("✓ Signed in as anna")
            #expect(!screen.contains("3141-59"))
            #expect(try await agent.stop() == 0)
            try await server.stop()
        }

        @Test(
            "keys live on a token; without it, or with another PIN, nothing runs and nothing weaker is taken",
            .enabled(if: SoftwareTokens.isInstalled, "needs softhsm2, opensc and openssl"))
        func token() async throws {
            let (server, token) = try await ServerProcess.withMachines("agent-token-provider")
            let tokens = try await SoftwareTokens(["machine", "another"])
            let machine = try AgentMachine.withToken("agent-token", tokens)
            try machine.install(
                .init(issuer: server.issuer, token: token, method: "UserSecureEnclaveKey"))
            let agent = try machine.start()
            let key = try await machine.registered()
            #expect(try await machine.status()["key_store"].string == "pkcs11")
            try await machine.register(
                [("Password of anna", DeclaredState.password)], as: "anna")
            try await agent.stop(SIGKILL)
            let again = try machine.start()
            #expect(try await machine.registered() == key)
            #expect(try await machine.ask("agent", "sign-in").status == 0)
            #expect(try await again.stop() == 0)
            try machine.folder.write("000000\n", to: "pin")
            #expect(try await machine.start().ended() == 1)
            try machine.folder.write(SoftwareTokens.pin, to: "pin")
            let other = try await machine.run(["--keys", "file"])
            #expect(other.status == 1 && other.errors.contains("are in pkcs11"), "\(other.errors)")
            chmod(machine.folder.file("pin").path(), 0o644)
            #expect(try await machine.start().ended() == 2)
            #expect(try await server.livingMachines() == 1)
            try await server.stop()
        }

        @Test(
            "a smart card signs in with its PIN, and another person's does not",
            .enabled(if: SoftwareTokens.isInstalled, "needs softhsm2, opensc and openssl"))
        func smartCard() async throws {
            let tokens = try await SoftwareTokens(["card of anna"])
            let card = try await tokens.addCard(to: "card of anna", name: "anna")
            let (server, token) = try await ServerProcess.withMachines(
                "agent-card-provider", methods: ["password", "smart_card"],
                settings: [
                    "smart_card_roots": [.string(card.root)], "smart_card_mapping": ["subject"],
                    "smart_card_revocation": "off",
                ])
            let machine = try AgentMachine(
                "agent-card",
                arguments: ["--keys", "file", "--card-module", SoftwareTokens.module],
                environment: tokens.environment)
            try machine.install(.init(issuer: server.issuer, token: token, method: "SmartCard"))
            let agent = try machine.start()
            _ = try await machine.registered()
            let terminal = try await machine.terminal("register", "user")
            for (question, answer) in [
                ("Your user name", "anna"), ("PIN of anna", "000000"),
                ("does not accept that PIN", ""), ("PIN of anna", SoftwareTokens.pin),
            ] {
                try await terminal.shows(question)
                guard !answer.isEmpty else { continue }
                try await terminal.type(answer)
                try await terminal.press("Enter")
            }
            let screen = try await terminal.shows("✓ Signed in as anna")
            #expect(!screen.contains(SoftwareTokens.pin))
            let claims = try await machine.ask("agent", "token")
            #expect(claims.output.split(separator: ".").count == 3, "\(claims.errors)")
            let renewed = try await machine.ask("agent", "sign-in", "--refresh")
            #expect(renewed.status == 0, "\(renewed.errors)")
            try await strangersCard(tokens, machine)
            #expect(try await agent.stop() == 0)
            try await server.stop()
        }

        /// Returns a certificate with the same name by an untrusted authority.
        private func strangersCard(
            _ tokens: SoftwareTokens, _ machine: AgentMachine
        ) async throws {
            _ = try await tokens.addCard(to: "card of anna", name: "mallory", id: "02")
            let terminal = try await machine.terminal("agent", "sign-in")
            try await terminal.shows("Which card?")
            try await terminal.shows("mallory")
            let screen = try await terminal.screen()
            let order = ["anna", "mallory"].compactMap { screen.range(of: "\($0)\n")?.lowerBound }
            if order.count == 2, order[0] < order[1] { try await terminal.press("Down") }
            try await terminal.press("Enter")
            try await terminal.shows("PIN of mallory")
            try await terminal.type(SoftwareTokens.pin)
            try await terminal.press("Enter")
            try await terminal.shows("does not accept it")
            #expect(try await terminal.status() == 1)
        }
    }
}
