// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import Testing

extension EndToEndAgent {
    /// Other accounts of the machine, which may speak with the agent but wish it ill.
    @Suite(
        "Unauthorized callers at the agent's socket",
        .enabled(if: geteuid() == 0 && Stranger.isPossible, "needs root, setpriv and Python"))
    struct AgentStrangerStory {
        @Test("silent connections of one account do not keep out root, and their number is limited")
        func silence() async throws {
            let machine = try AgentMachine("agent-silence")
            let agent = try machine.start()
            try await machine.answers()
            let stranger = try Stranger(65_534, ["hold", machine.socket, "200"])
            // The two hundredth was closed; sixteen are still open.
            try await stranger.says("b''")
            #expect(try await machine.ask("status").status == 0)
            try await stranger.process.stop()
            #expect(try await agent.stop() == 0)
        }

        @Test("a user id that has no account ends its connection and not the agent")
        func nobody() async throws {
            let machine = try AgentMachine("agent-nobody")
            let agent = try machine.start()
            try await machine.answers()
            let stranger = try Stranger(54_321, ["hold", machine.socket, "1"])
            try await stranger.says("b''")
            #expect(try await machine.ask("status").status == 0)
            try await stranger.process.stop()
            #expect(try await agent.stop() == 0)
        }

        @Test("calls of root or of another account are refused to every other account")
        func notYours() async throws {
            let machine = try AgentMachine("agent-not-yours")
            let agent = try machine.start()
            try await machine.answers()
            let own = ["register_device", "unregister_device", "rotate", "reload", "admit"]
            let others = [
                "status", "arrived", "register_user", "unregister_user", "sign_in", "refresh",
                "token", "authorize", "seal", "unseal", "picture",
            ]
            let requests =
                own.map { #"{"version":1,"request":"\#($0)"}"# }
                + others.map { #"{"version":1,"request":"\#($0)","account":"root"}"# }
            let stranger = try Stranger(65_534, ["ask", machine.socket] + requests)
            try await stranger.says("asked")
            let lines = try String(contentsOf: stranger.process.log, encoding: .utf8)
                .split(separator: "\n")
            #expect(
                lines == [Substring](repeating: "not_yours", count: requests.count) + ["asked"])
            #expect(try await agent.stop() == 0)
        }

        @Test("an agent that neither root nor the caller runs is sent nothing and not trusted")
        func impostor() async throws {
            let folder = try TemporaryDirectory()
            chmod(folder.url.path(), 0o777)
            let socket = folder.file("agent.sock").path()
            let stranger = try Stranger(65_534, ["serve", socket])
            try await stranger.says("listening")
            let outcome = try await Command.gatehouse(
                "agent", "admit", "login", "--account", "anna", "--socket", socket,
                input: "secret")
            #expect(outcome.status == 1)
            #expect(outcome.errors.contains("is served by nobody, not by root"))
            try await stranger.says("b''")
            try await stranger.process.stop()
        }
    }

    /// A program of another user id.
    private struct Stranger {
        static let python = URL(filePath: "/usr/bin/python3")
        static var isPossible: Bool {
            Repository.has("setpriv") && FileManager.default.fileExists(atPath: python.path())
        }

        let process: ChildProcess
        private let folder: TemporaryDirectory

        init(_ user: Int, _ words: [String]) throws {
            folder = try TemporaryDirectory()
            // As text: the other account need not be able to read the repository.
            let script = try String(
                contentsOf: Repository.peers.appending(path: "agent/agent_stranger.py"),
                encoding: .utf8)
            process = try ChildProcess(
                Repository.path(of: "setpriv") ?? URL(filePath: "/usr/bin/setpriv"),
                [
                    "--reuid=\(user)", "--regid=\(user)", "--clear-groups", Self.python.path(),
                    "-c", script,
                ]
                    + words, log: folder.file("log"))
        }

        /// Waits for a line.
        func says(_ line: String) async throws {
            try await eventually("the stranger says \(line): \(process.lastWords)") {
                let text = try String(contentsOf: process.log, encoding: .utf8)
                return text.split(separator: "\n").contains(Substring(line)) ? true : nil
            }
        }
    }
}
