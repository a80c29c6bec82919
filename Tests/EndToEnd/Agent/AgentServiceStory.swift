// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import Testing

extension EndToEnd {
    /// The agent as a service of the system.
    @Suite("The agent as a service")
    struct AgentServiceStory {
        @Test("an agent that has nothing to do does not wake up")
        func idle() async throws {
            let machine = try AgentMachine(
                "agent-idle", arguments: ["--keys", "file", "--rest-after", "0"])
            let agent = try machine.start()
            try await machine.answers()
            // Whoever waits and is woken has switched of its own will, and each of its threads counts.
            func wakeUps() throws -> Int {
                let folder = "/proc/\(agent.pid)/task"
                return try FileManager.default.contentsOfDirectory(atPath: folder).map { thread in
                    let path = "\(folder)/\(thread)/status"
                    let lines = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
                    let line = lines.split(separator: "\n")
                        .first { $0.hasPrefix("voluntary_ctxt_switches:") }
                    return line?.split(separator: "\t").last.flatMap { Int($0) } ?? 0
                }.reduce(0, +)
            }
            // What the last answer left to do is over once two looks agree.
            let settled = try await eventually("it is at rest") {
                let before = try wakeUps()
                try await Task.sleep(for: .milliseconds(500))
                return try wakeUps() == before ? before : nil
            }
            try await Task.sleep(for: .seconds(3))
            // Dispatch looks at its own threads once a second, and those that nobody needs any more
            // wake up to end. A loop of ours would do it all the time.
            #expect(try wakeUps() - settled < 20)
            #expect(try await agent.stop() == 0)
        }

        @Test(
            "it takes a socket that somebody else has opened, and whoever came before it is answered",
            .enabled(if: Repository.has("python3"), "needs Python"))
        func activation() async throws {
            let machine = try AgentMachine("agent-activated")
            let starter = Repository.peers.appending(path: "activate.py").path()
            let python = Repository.path(of: "python3")?.path() ?? "/usr/bin/python3"
            let agent = try machine.start(through: [python, starter, machine.socket])
            try await eventually("the socket is there") {
                FileManager.default.fileExists(atPath: machine.socket) ? true : nil
            }
            // The starter waits for this before it starts the agent, as systemd does.
            #expect(try await machine.ask("status").output.contains("No profile"))
            #expect(try await agent.stop() == 0)
            #expect(FileManager.default.fileExists(atPath: machine.socket))
        }

        @Test(
            "install writes units that systemd finds nothing wrong with",
            .enabled(if: Repository.has("systemd-analyze"), "needs systemd"))
        func units() async throws {
            let folder = try TemporaryDirectory()
            let installed = try await Command.gatehouse(
                "agent", "install", "--root", folder.file("root").path(), "--", "--keys", "pkcs11",
                "--token", "a token with blanks")
            #expect(installed.status == 0, "\(installed.errors)")
            let units = folder.file("root/etc/systemd/system").path()
            let verified = try await Command.run(
                Repository.path(of: "systemd-analyze") ?? URL(filePath: "/usr/bin/systemd-analyze"),
                [
                    "verify", "--man=no", "--recursive-errors=no",
                    "\(units)/gatehouse-agent.socket", "\(units)/gatehouse-agent.service",
                ])
            #expect(verified.status == 0, "\(verified.output)\(verified.errors)")
            #expect(!verified.errors.contains("gatehouse-agent"), "\(verified.errors)")
            let text = try String(
                contentsOfFile: "\(units)/gatehouse-agent.service", encoding: .utf8)
            #expect(text.contains(#"agent run --keys pkcs11 --token "a token with blanks""#))
        }
    }
}
