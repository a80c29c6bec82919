// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import Testing

extension EndToEndAgent {
    /// An extension that an administrator installed: the example of `Examples/SSOExtension`,
    /// unchanged, signed by its team, owned by root, and started by the agent on demand.
    @Suite(
        "The agent with an extension that was installed",
        .enabled(
            if: getuid() == 0 && Repository.has("unshare") && Repository.hasPeers
                && TerminalSession.isAvailable,
            "needs root, unshare, .venv of Scripts/bootstrap, and tmux"))
    struct AgentExtensionStory {
        private static let identifier = "com.example.small-sso"
        private static let question = "Your name at the provider"

        /// A device with a separate directory as `/usr/local/lib`.
        private struct House {
            let machine: AgentMachine
            let provider: ChildProcess
            let port: Int

            init(_ name: String) async throws {
                port = try Connection.freePort()
                let port = port
                provider = try ChildProcess(
                    Repository.python,
                    [
                        Repository.peers.appending(path: "platform_sso/small_provider.py").path(),
                        "\(port)",
                        "token",
                    ], log: Repository.outputFile("\(name)-provider.log"))
                machine = try AgentMachine(name)
                try FileManager.default.createDirectory(
                    at: machine.folder.file("lib"), withIntermediateDirectories: true)
                try await eventually("the small provider answers") {
                    try await exchange(.init(path: "/registered"), port: port).status == 200
                        ? true : nil
                }
            }

            var inside: [String] {
                [
                    "/usr/bin/unshare", "--mount", "--propagation", "private", "--", "/bin/sh",
                    "-c", "mount --bind \"$0\" /usr/local/lib && exec \"$@\"",
                    machine.folder.file("lib").path(),
                ]
            }

            func gatehouse(_ words: String...) async throws -> Command.Outcome {
                let all = inside + [Repository.gatehouse.path()] + words
                return try await Command.run(URL(filePath: all[0]), Array(all.dropFirst()))
            }

            /// Signed and installed as the README says; the team.
            func install() async throws -> String {
                let built = Repository.gatehouse.deletingLastPathComponent()
                    .appending(path: "SSOExtension").resolvingSymlinksInPath()
                let file = machine.folder.file("sso").path()
                try FileManager.default.copyItem(atPath: built.path(), toPath: file)
                let signed = try await gatehouse(
                    "extension", "sign", file, "--identifier", AgentExtensionStory.identifier,
                    "--name", "Small SSO", "--key", machine.folder.file("team.jwk").path(),
                    "--new-key", "--json")
                let installed = try await gatehouse("extension", "install", file)
                guard signed.status == 0, installed.status == 0,
                    let team = try JSON(parsing: Array(signed.output.utf8))["team"].string
                else { throw HarnessError(signed.errors + installed.errors) }
                return team
            }

            func profile(_ team: String, method: String) -> TestProfile {
                let address = "http://127.0.0.1:\(port)"
                var profile = TestProfile(issuer: address, token: "token", method: method)
                profile.identifier = AgentExtensionStory.identifier
                profile.team = team
                profile.provider = address
                profile.webHosts = ["idp.example.com"]
                return profile
            }

            func registered() async throws -> JSON {
                let answer = try await exchange(.init(path: "/registered"), port: port)
                return try JSON(parsing: Array(answer.text.utf8))
            }

            /// The programs that the agent has started and that run now.
            func children(of agent: ChildProcess) throws -> [String] {
                let tasks = "/proc/\(agent.pid)/task"
                return try FileManager.default.contentsOfDirectory(atPath: tasks).flatMap { task in
                    let list = try? String(
                        contentsOfFile: "\(tasks)/\(task)/children", encoding: .utf8)
                    return (list ?? "").split(separator: " ").compactMap {
                        try? String(contentsOfFile: "/proc/\($0)/comm", encoding: .utf8)
                            .trimmingCharacters(in: .whitespacesAndNewlines)
                    }
                }
            }
        }

        @Test("It registers the machine and a person, who then signs in with the key")
        func wholeWay() async throws {
            let house = try await House("agent-extension")
            let team = try await house.install()
            let machine = house.machine
            try machine.install(house.profile(team, method: "UserSecureEnclaveKey"))
            let agent = try machine.start(through: house.inside)
            _ = try await machine.registered()
            #expect(try await house.registered()["devices"].array?.count == 1)
            let terminal = try await machine.terminal("register", "user")
            try await terminal.shows(Self.question)
            // During the prompt, it runs as a child of the agent.
            #expect(try !house.children(of: agent).isEmpty)
            try await terminal.type("anna")
            try await terminal.press("Enter")
            try await terminal.shows("✓ Signed in as anna@small.example")
            #expect(try await terminal.status() == 0)
            let people = try await house.registered()["people"]
            #expect(people["anna@small.example"].string?.isEmpty == false)
            let status = try await machine.status()
            #expect(status["extension"].string == "\(team).\(Self.identifier)")
            let person = status["people"].array?.first
            #expect(person?["phase"].string == "registered")
            #expect(person?["standing"].string == "signed_in")
            // From now on the agent signs in alone, whether or not the extension runs.
            let renewed = try await machine.ask("agent", "sign-in", "--refresh")
            #expect(renewed.status == 0, "\(renewed.errors)")
            #expect(try await machine.ask("agent", "token").output.split(separator: ".").count == 3)
            #expect(try await agent.stop() == 0)
            try await house.provider.stop()
        }

        @Test("Nothing begins that it says it cannot do, and the status says what that is")
        func notSupported() async throws {
            let house = try await House("agent-extension-cannot")
            let team = try await house.install()
            let machine = house.machine
            try machine.install(house.profile(team, method: "OpenID"))
            let agent = try machine.start(through: house.inside)
            let device = try await eventually("it is refused") { () -> JSON? in
                let device = try? await machine.status()["devices"].array?.first
                return device?["phase"].string == "refused" ? device : nil
            }
            #expect(device["reason"].string?.contains("tokenExchange") == true, "\(device)")
            #expect(try await house.registered()["devices"].array?.isEmpty == true)
            #expect(try await agent.stop() == 0)
            try await house.provider.stop()
        }

        @Test("One whose program was changed after it was signed is not started")
        func changed() async throws {
            let house = try await House("agent-extension-changed")
            let team = try await house.install()
            let program = house.machine.folder
                .file("lib/gatehouse/extensions/\(Self.identifier)/extension")
            let handle = try FileHandle(forWritingTo: program)
            try handle.seekToEnd()
            try handle.write(contentsOf: Data([0]))
            try handle.close()
            let machine = house.machine
            try machine.install(house.profile(team, method: "UserSecureEnclaveKey"))
            let agent = try machine.start(through: house.inside)
            let device = try await eventually("it has failed") { () -> JSON? in
                let device = try? await machine.status()["devices"].array?.first
                return device?["phase"].string == "retrying" ? device : nil
            }
            #expect(device["reason"].string?.contains("digest_mismatch") == true, "\(device)")
            #expect(try await house.registered()["devices"].array?.isEmpty == true)
            #expect(try await agent.stop() == 0)
            try await house.provider.stop()
        }
    }
}
