// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import Testing

extension EndToEndAgent {
    /// The agent while nothing happens.
    @Suite("The agent at rest")
    struct AgentRestStory {
        private static let soon = ["--keys", "file", "--rest-after", "1"]

        private func rests(_ agent: ChildProcess) async throws {
            try await eventually("it rests", within: .seconds(60)) {
                try? FileManager.default.destinationOfSymbolicLink(
                    atPath: "/proc/\(agent.pid)/exe"
                ).hasSuffix("/gatehouse-waiter") ? true : nil
            }
        }

        private func fact(_ name: String, _ agent: ChildProcess) throws -> Int {
            let text = try String(contentsOfFile: "/proc/\(agent.pid)/status", encoding: .utf8)
            let line = text.split(separator: "\n").first { $0.hasPrefix(name + ":") } ?? ""
            let words = line.split { $0 == " " || $0 == "\t" }
            return words.dropFirst().first.flatMap { Int($0) } ?? 0
        }

        /// The whole life of an agent on another machine.
        private func anotherLife() async throws {
            let machine = try AgentMachine("agent-rest-other")
            let agent = try machine.start()
            try await machine.answers()
            #expect(try await agent.stop() == 0)
        }

        @Test("it uses a few megabytes, has no idle wake-ups, and responds to clients")
        func small() async throws {
            let machine = try AgentMachine("agent-rest", arguments: Self.soon)
            let agent = try machine.start()
            try await machine.answers()
            try await rests(agent)
            #expect(try fact("VmRSS", agent) < 25 * 1024)
            #expect(try fact("Threads", agent) == 1)
            // It may be on its way to sleep at the first look: then the next finds it asleep.
            try await eventually("it sleeps while others come and go", within: .seconds(120)) {
                try await agent.wakeUps(during: anotherLife).count == 0 ? true : nil
            }
            // Twice: it comes back each time, and as the same process.
            for _ in 0..<2 {
                try await rests(agent)
                #expect(try await machine.ask("status").output.contains("No profile"))
            }
            try await rests(agent)
            #expect(try await agent.stop() == 0)
            #expect(!FileManager.default.fileExists(atPath: machine.socket))
        }

        @Test("a profile that comes while it rests is noticed, and nothing is forgotten over it")
        func profile() async throws {
            let (server, token) = try await ServerProcess.withMachines("agent-rest-provider")
            let machine = try AgentMachine("agent-rest-profile", arguments: Self.soon)
            let agent = try machine.start()
            try await machine.answers()
            try await rests(agent)
            try machine.install(.init(issuer: server.issuer, token: token, grace: 7))
            let key = try await machine.registered()
            try await rests(agent)
            #expect(try await machine.registered() == key)
            // Another agent cannot replace it.
            try await rests(agent)
            let other = try await machine.run(["--keys", "file"])
            #expect(other.status == 1 && other.errors.contains("another agent runs"))
            #expect(try await machine.ask("status").status == 0)
            #expect(try await agent.stop() == 0)
            try await server.stop()
        }

        @Test(
            "a profile for one account is noticed in a folder that comes later, awake and at rest",
            arguments: [true, false])
        func ownProfile(rests: Bool) async throws {
            let (server, token) = try await ServerProcess.withMachines("agent-own-provider")
            let machine = try AgentMachine(
                "agent-own-profile",
                arguments: rests ? Self.soon : ["--keys", "file", "--rest-after", "0"])
            let agent = try machine.start()
            try await machine.answers()
            if rests { try await self.rests(agent) }
            let own = machine.folder.file("profiles/users/anna/own.mobileconfig")
            try FileManager.default.createDirectory(
                at: own.deletingLastPathComponent(), withIntermediateDirectories: true)
            if rests { try await self.rests(agent) }
            let profile = TestProfile(issuer: server.issuer, token: token)
            try Data(profile.text.utf8).write(to: own, options: .atomic)
            _ = try await machine.registered()
            let device = try await machine.status()["devices"].array?.first
            #expect(device?["owner"].string == "+anna")
            if rests { try await self.rests(agent) }
            try FileManager.default.removeItem(at: own)
            try await eventually("it is registered no more", within: .seconds(60)) {
                try await machine.status()["devices"].array?.isEmpty == true ? true : nil
            }
            #expect(try await agent.stop() == 0)
            try await server.stop()
        }

        @Test("SIGHUP ends the rest, and many who come at once are all answered")
        func crowd() async throws {
            let machine = try AgentMachine("agent-rest-crowd", arguments: Self.soon)
            let agent = try machine.start()
            try await machine.answers()
            try await rests(agent)
            kill(agent.pid, SIGHUP)
            try await machine.answers()
            try await rests(agent)
            let answers = try await withThrowingTaskGroup(of: Int32.self) { group in
                for _ in 0..<8 {
                    group.addTask { try await machine.ask("status").status }
                }
                return try await group.reduce(into: [Int32]()) { $0.append($1) }
            }
            #expect(answers == [Int32](repeating: 0, count: 8))
            #expect(try await agent.stop() == 0)
        }
    }
}
