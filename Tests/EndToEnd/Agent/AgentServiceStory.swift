// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import Testing

extension EndToEndAgent {
    /// The agent as a service of the system.
    @Suite("The agent as a service")
    struct AgentServiceStory {
        @Test(
            "it receives a socket that systemd has opened, and earlier clients get a response",
            .enabled(if: Repository.has("python3"), "needs Python"))
        func activation() async throws {
            let machine = try AgentMachine("agent-activated")
            let starter = Repository.peers.appending(path: "agent/activate.py").path()
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
            #expect(
                text.contains(#"gatehouse-agent run --keys pkcs11 --token "a token with blanks""#))
            let user = folder.file("root/etc/systemd/user").path()
            let ours = try await Command.run(
                Repository.path(of: "systemd-analyze") ?? URL(filePath: "/usr/bin/systemd-analyze"),
                [
                    "verify", "--user", "--man=no", "--recursive-errors=no",
                    "\(user)/gatehouse-arrived.timer", "\(user)/gatehouse-arrived.service",
                ], environment: ["XDG_RUNTIME_DIR": folder.url.path()])
            #expect(ours.status == 0, "\(ours.output)\(ours.errors)")
            #expect(!ours.errors.contains("gatehouse-arrived"), "\(ours.errors)")
            let autostart = try String(
                contentsOf: folder.file("root/etc/xdg/autostart/gatehouse-arrived.desktop"),
                encoding: .utf8)
            let program = Repository.agent.path()
            #expect(autostart.contains("\nExec=\(program) arrived --desktop\n"))
            // The required PAM lines are printed, and the administrator adds them.
            #expect(installed.errors.contains("quiet stdout \(program) arrived"))
        }

        @Test(
            "systemd runs what was installed: by its socket, again when it was killed, until it is taken back",
            .enabled(if: SystemdHouse.isPossible, "needs root, systemd and control groups"))
        func house() async throws {
            let house = try await SystemdHouse("agent-systemd")
            let installed = try await house.gatehouse("agent", "install", "--", "--keys", "file")
            #expect(installed.status == 0, "\(installed.errors)")
            #expect(installed.errors.hasSuffix("The agent runs. Now: gatehouse-agent status\n"))
            #expect(try await house.gatehouse("status").output.contains("No profile"))
            let before = try await house.service("MainPID")
            #expect(try await house.run("kill", "-9", before).status == 0)
            try await eventually("systemd has started it again") {
                try await house.service("NRestarts") == "1" ? true : nil
            }
            #expect(try await house.gatehouse("status").output.contains("No profile"))
            #expect(try await house.service("MainPID") != before)
            _ = try await house.run("systemctl", "stop", "gatehouse-agent.service")
            #expect(try await house.service("ActiveState") == "inactive")
            // A client starts it.
            #expect(try await house.gatehouse("status").output.contains("No profile"))
            #expect(try await house.service("ActiveState") == "active")
            let gone = try await house.gatehouse("agent", "uninstall")
            #expect(gone.status == 0, "\(gone.errors)")
            #expect(try await house.service("ActiveState") == "inactive")
            let left = try await house.run("systemctl", "list-unit-files", "gatehouse*")
            #expect(!left.output.contains("gatehouse-"), "\(left.output)")
            let absent = try await house.gatehouse("status")
            #expect(absent.status == 1 && absent.errors.contains("no agent answers"))
            try await house.stop()
        }

        @Test("an installation with a strict umask is readable, and is removed once")
        func takenBack() async throws {
            let folder = try TemporaryDirectory()
            let root = folder.file("root").path()
            // Hardened systems have root keep what it writes to itself.
            let installed = try await Command.run(
                URL(filePath: "/bin/sh"),
                [
                    "-c", "umask 077 && exec \"$0\" agent install --root \"$1\"",
                    Repository.gatehouse.path(), root,
                ])
            #expect(installed.status == 0, "\(installed.errors)")
            let files = try tree(root).filter { $0.isFile }
            #expect(files.count == 5 && files.allSatisfy { $0.mode == 0o644 }, "\(files)")
            let folders = try tree(root).filter { !$0.isFile }
            let closed = folders.filter { $0.mode != 0o755 }
            #expect(closed.map(\.name) == ["etc/gatehouse/profiles"])
            #expect(closed.first?.mode == 0o700)
            for isFirst in [true, false] {
                let gone = try await Command.gatehouse(
                    "agent", "uninstall", "--root", root, "--json")
                #expect(gone.status == 0, "\(gone.errors)")
                let removed = try JSON(parsing: Array(gone.output.utf8))["removed"].array
                #expect(removed?.count == (isFirst ? 5 : 0))
                #expect(try tree(root).allSatisfy { !$0.isFile })
            }
        }

        private struct Entry {
            let name: String
            let isFile: Bool
            let mode: Int
        }

        private func tree(_ root: String) throws -> [Entry] {
            try FileManager.default.subpathsOfDirectory(atPath: root).sorted().map { name in
                let facts = try FileManager.default.attributesOfItem(atPath: "\(root)/\(name)")
                return Entry(
                    name: name, isFile: facts[.type] as? FileAttributeType == .typeRegular,
                    mode: (facts[.posixPermissions] as? NSNumber)?.intValue ?? 0)
            }
        }
    }
}
