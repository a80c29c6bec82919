// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import Testing

extension EndToEndAgent {
    /// The agent while nothing happens. Benchmarks/run measures its memory, in a release build.
    @Suite("The idle agent")
    struct AgentIdleStory {
        /// The whole life of an agent on another device.
        private func anotherLife() async throws {
            let machine = try AgentMachine("agent-idle-other")
            let agent = try machine.start()
            try await machine.answers()
            #expect(try await agent.stop() == 0)
        }

        /// Returns when no thread of the agent has run for as long as another agent lives.
        private func isIdle(_ agent: ChildProcess) async throws {
            try await eventually("no thread wakes up", within: .seconds(120)) {
                try await agent.wakeUps(during: anotherLife).count == 0 ? true : nil
            }
        }

        @Test("it does not wake up, and responds to each client after that")
        func wakeUps() async throws {
            let machine = try AgentMachine("agent-idle")
            let agent = try machine.start()
            try await machine.answers()
            for _ in 0..<2 {
                try await isIdle(agent)
                #expect(try await machine.ask("status").output.contains("No profile"))
            }
            try await isIdle(agent)
            #expect(try await agent.stop() == 0)
            #expect(!FileManager.default.fileExists(atPath: machine.socket))
        }

        @Test(
            "a profile that is installed while it is idle is noticed, and its key is not replaced")
        func profile() async throws {
            let (server, token) = try await ServerProcess.withMachines("agent-idle-provider")
            let machine = try AgentMachine("agent-idle-profile")
            let agent = try machine.start()
            try await machine.answers()
            try await isIdle(agent)
            try machine.install(.init(issuer: server.issuer, token: token, grace: 7))
            let key = try await machine.registered()
            try await isIdle(agent)
            #expect(try await machine.registered() == key)
            // Another agent cannot replace it.
            let other = try await machine.run(["--keys", "file"])
            #expect(other.status == 1 && other.errors.contains("another agent runs"))
            #expect(try await machine.ask("status").status == 0)
            #expect(try await agent.stop() == 0)
            try await server.stop()
        }

        @Test(
            "a profile for one account is noticed in a directory that is created later, idle or not",
            arguments: [true, false])
        func ownProfile(waits: Bool) async throws {
            let (server, token) = try await ServerProcess.withMachines("agent-own-provider")
            let machine = try AgentMachine("agent-own-profile")
            let agent = try machine.start()
            try await machine.answers()
            if waits { try await isIdle(agent) }
            let own = machine.folder.file("profiles/users/anna/own.mobileconfig")
            try FileManager.default.createDirectory(
                at: own.deletingLastPathComponent(), withIntermediateDirectories: true)
            if waits { try await isIdle(agent) }
            let profile = TestProfile(issuer: server.issuer, token: token)
            try Data(profile.text.utf8).write(to: own, options: .atomic)
            _ = try await machine.registered()
            let device = try await machine.status()["devices"].array?.first
            #expect(device?["owner"].string == "+anna")
            if waits { try await isIdle(agent) }
            try FileManager.default.removeItem(at: own)
            try await eventually("it is registered no more", within: .seconds(60)) {
                try await machine.status()["devices"].array?.isEmpty == true ? true : nil
            }
            #expect(try await agent.stop() == 0)
            try await server.stop()
        }

        @Test("after SIGHUP it continues, and many clients at once all get a response")
        func crowd() async throws {
            let machine = try AgentMachine("agent-idle-crowd")
            let agent = try machine.start()
            try await machine.answers()
            try await isIdle(agent)
            kill(agent.pid, SIGHUP)
            try await machine.answers()
            try await isIdle(agent)
            let answers = try await withThrowingTaskGroup(of: Int32.self) { group in
                for _ in 0..<8 {
                    group.addTask { try await machine.ask("status").status }
                }
                return try await group.reduce(into: [Int32]()) { $0.append($1) }
            }
            #expect(answers == [Int32](repeating: 0, count: 8))
            #expect(try await agent.stop() == 0)
        }

        @Test("the program contains no server, no provider and no database")
        func contents() throws {
            let program = try Data(contentsOf: Repository.agent)
            func contains(_ text: String) -> Bool { program.range(of: Data(text.utf8)) != nil }
            // Mangled names begin with the module.
            #expect(contains("$s5Agent"))
            for name in [
                "$s10HTTPServer", "$s12ProviderCore", "$s7Storage", "$s15GatehouseClient",
                "libsqlite3.so", "libpq.so",
            ] {
                #expect(!contains(name), "\(name)")
            }
        }
    }
}
