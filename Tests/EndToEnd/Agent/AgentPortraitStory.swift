// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import Testing

extension EndToEndAgent {
    /// What Gatehouse's own ID token says of a person, on a machine: what they are called, and their picture.
    @Suite(
        "The agent shows the person's name and picture",
        .enabled(
            if: TerminalSession.isAvailable && Repository.has("python3")
                && Repository.has("openssl"),
            "needs tmux, Python and openssl"))
    struct AgentPortraitStory {
        /// A fake external host of pictures, on this device.
        private struct Host {
            let authority: CertificateAuthority
            let child: ChildProcess
            let address: String

            init() async throws {
                authority = try await CertificateAuthority(hosts: ["localhost"])
                let port = try Connection.freePort()
                address = "https://localhost:\(port)/anna.png"
                child = try ChildProcess(
                    Repository.path(of: "python3") ?? URL(filePath: "/usr/bin/python3"),
                    [
                        Repository.peers.appending(path: "agent/pictures.py").path(), "\(port)",
                        authority.certificate.path(), authority.key.path(),
                        authority.folder.file("asked").path(),
                    ], log: Repository.outputFile("agent-portrait-host.log"))
                let authority = authority
                try await eventually("the host of pictures listens") {
                    try Self.lines(authority).isEmpty ? nil : true
                }
            }

            private static func lines(_ authority: CertificateAuthority) throws -> [JSON] {
                try String(contentsOf: authority.folder.file("asked"), encoding: .utf8)
                    .split(separator: "\n").map { try JSON(parsing: Array($0.utf8)) }
            }

            /// What it was asked.
            func questions() throws -> [JSON] { Array(try Self.lines(authority).dropFirst()) }
        }

        /// Anna has registered at a provider that knows what she looks like.
        private func registered(
            _ name: String, _ host: Host, _ more: [String]
        ) async throws -> (ServerProcess, AgentMachine, ChildProcess) {
            let (server, token) = try await ServerProcess.withMachines("\(name)-provider")
            guard case .object(var anna) = DeclaredState.user("anna") else {
                throw HarnessError("no user")
            }
            anna["name"] = "Anna Johnson"
            anna["picture"] = .string(host.address)
            let platform: JSON = [
                "enabled": true, "allowed_methods": ["password", "user_key"],
            ]
            try await server.apply(
                DeclaredState(users: [.object(anna)], platformSSO: platform).text)
            let machine = try AgentMachine(
                name,
                arguments: ["--keys", "file", "--ca", host.authority.root.path()] + more)
            var profile = TestProfile(issuer: server.issuer, token: token)
            profile.hasPictures = true
            try machine.install(profile)
            let agent = try machine.start()
            _ = try await machine.registered()
            try await machine.register(
                [("Password of anna", DeclaredState.password)], as: "anna")
            return (server, machine, agent)
        }

        @Test("name and picture of the ID token come to the status and to agent picture")
        func shown() async throws {
            let host = try await Host()
            let (server, machine, agent) = try await registered(
                "agent-portrait", host, ["--picture-allow", "localhost"])
            let person = try await eventually("the picture is there") { () -> JSON? in
                let person = try await machine.status()["people"].array?.first
                return person?["picture"]["format"].string == nil ? nil : person
            }
            #expect(person["name"].string == "Anna Johnson")
            #expect(person["picture"]["format"].string == "png")
            let text = try await machine.ask("status").output
            #expect(text.contains("Anna Johnson"), "\(text)")
            let file = machine.folder.file("anna.png")
            let picture = try await machine.ask("agent", "picture", "--output", file.path())
            #expect(picture.status == 0, "\(picture.errors)")
            let bytes = try Data(contentsOf: file)
            #expect(bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]))
            #expect(person["picture"]["bytes"].int == bytes.count)
            // The host receives no data about the person.
            let questions = try host.questions()
            #expect(questions.count == 1 && questions.first?["path"].string == "/anna.png")
            let fields = questions.first?["fields"].array?.compactMap(\.string) ?? []
            let plain: Set = ["accept", "host", "content-length"]
            #expect(!fields.isEmpty && plain.isSuperset(of: fields), "\(fields)")
            #expect(try await agent.stop() == 0)
            try await host.child.stop()
            try await server.stop()
        }

        @Test("Attack 45: a picture on the machine itself is not asked for, and the name is shown")
        func walls() async throws {
            let host = try await Host()
            let (server, machine, agent) = try await registered("agent-portrait-walls", host, [])
            let person = try await machine.status()["people"].array?.first
            #expect(person?["name"].string == "Anna Johnson")
            // A second login asks again, and nothing is left of the first by then.
            let again = try await machine.terminal("agent", "sign-in")
            try await again.shows("Password of anna")
            try await again.type(DeclaredState.password)
            try await again.press("Enter")
            #expect(try await again.status() == 0)
            #expect(try await agent.stop() == 0)
            #expect(try host.questions().isEmpty)
            try await host.child.stop()
            try await server.stop()
        }
    }
}
