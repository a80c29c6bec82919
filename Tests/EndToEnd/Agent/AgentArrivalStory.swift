// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import Testing

extension EndToEndAgent {
    /// A session start on the device: at a terminal, through PAM, and at a desktop.
    @Suite(
        "Arriving at a machine with an agent",
        .enabled(if: Repository.has("python3"), "needs Python"))
    struct AgentArrivalStory {
        private static let wish =
            "Gatehouse: You are not registered on this device yet. Type: gatehouse-agent register user"

        /// Returns a device without registered people, with its agent.
        private func house(
            _ name: String
        ) async throws -> (ServerProcess, AgentMachine, ChildProcess) {
            let (server, token) = try await ServerProcess.withMachines("\(name)-provider")
            let machine = try AgentMachine(name)
            try machine.install(
                .init(issuer: server.issuer, token: token, frequency: 6 * 3600))
            let agent = try machine.start()
            _ = try await machine.registered()
            return (server, machine, agent)
        }

        @Test(
            "the line of the documentation has PAM display the advice, and admits all",
            .enabled(
                if: PAMService.isInstalled && TerminalSession.isAvailable,
                "needs PAM's modules and tmux"))
        func session() async throws {
            let (server, machine, agent) = try await house("agent-arrival-pam")
            #expect(try await told("anna", machine) == [Self.wish])
            // Services and root receive no prompt.
            #expect(try await told("root", machine) == [])
            let terminal = try await machine.terminal("register", "user", "--account", "anna")
            for (question, answer) in [
                ("Your user name", "anna"), ("Password of anna", DeclaredState.password),
            ] {
                try await terminal.shows(question)
                try await terminal.type(answer)
                try await terminal.press("Enter")
            }
            #expect(try await terminal.status() == 0)
            #expect(try await told("anna", machine) == [])
            try await server.stop()
            #expect(try await told("anna", machine) == [])
            #expect(try await agent.stop() == 0)
            // Without the agent as well.
            #expect(try await told("anna", machine) == [])
        }

        /// What a log-in program shows while it opens a session, which it always does.
        private func told(_ account: String, _ machine: AgentMachine) async throws -> [String] {
            try PAMService.session(machine).write(to: machine.folder)
            let outcome = try await Command.run(
                Repository.path(of: "python3") ?? URL(filePath: "/usr/bin/python3"),
                [
                    Repository.peers.appending(path: "agent/pam_login.py").path(),
                    machine.folder.file("pam").path(), "login", account, "session",
                ], input: "\n")
            #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
            return outcome.output.split(separator: "\n").filter { $0.hasPrefix("says: ") }
                .map { String($0.dropFirst("says: ".count)) }
        }

        @Test("an agent that takes connections and says nothing holds no log-in up")
        func silent() async throws {
            let folder = try TemporaryDirectory()
            let socket = folder.file("agent.sock").path()
            let script = """
                import signal, socket, sys
                listener = socket.socket(socket.AF_UNIX)
                listener.bind(sys.argv[1])
                listener.listen()
                signal.pause()
                """
            let silent = try ChildProcess(
                Repository.path(of: "python3") ?? URL(filePath: "/usr/bin/python3"),
                ["-c", script, socket], log: folder.file("log"))
            try await eventually("the socket is there") {
                FileManager.default.fileExists(atPath: socket) ? true : nil
            }
            let begin = ContinuousClock.now
            let outcome = try await Command.gatehouse(
                "agent", "arrived", "--account", "anna", "--socket", socket)
            #expect(outcome.status == 0)
            #expect(outcome.output.isEmpty && outcome.errors.isEmpty, "\(outcome)")
            // Three seconds, and what it takes a busy machine to begin and to end a program.
            #expect(ContinuousClock.now - begin < .seconds(8))
            _ = try await silent.stop()
        }

        private static let tools = ["notify-send", "busctl"].filter(Repository.has)

        @Test(
            "a desktop shows one notification, however often it is asked for",
            .enabled(
                if: Repository.has("dbus-run-session") && Repository.has("busctl"),
                "needs a session bus, and systemd's busctl"),
            arguments: tools)
        func desktop(tool: String) async throws {
            let (server, machine, agent) = try await house("agent-arrival-\(tool)")
            let shown = machine.folder.file("shown").path()
            let session = try session(machine, tool, shown: shown)
            let outcome = try await Command.run(
                Repository.path(of: "dbus-run-session")
                    ?? URL(filePath: "/usr/bin/dbus-run-session"),
                ["--", "/bin/sh", session.path()])
            #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
            #expect(outcome.output.isEmpty, "\(outcome.output)")
            let notes = try notes(shown)
            #expect(notes.map { $0["replaces"].int } == [0, 1])
            // Of a service that has come in its place.
            let anew = try self.notes(shown + ".anew")
            #expect(anew.map { $0["replaces"].int } == [0])
            for note in notes + anew {
                #expect(note["app"].string == "Gatehouse")
                #expect(note["summary"].string == "You are not registered on this device yet.")
                #expect(note["body"].string == "In a terminal, type: gatehouse-agent register user")
            }
            #expect(try await agent.stop() == 0)
            try await server.stop()
        }

        private func notes(_ path: String) throws -> [JSON] {
            let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
            return try lines.dropFirst().map { try JSON(parsing: Array($0.utf8)) }
        }

        /// A desktop with that notification tool, on which a person starts a session twice, and
        /// once more after a restart of their service. The bus is accessed by `busctl` alone.
        private func session(
            _ machine: AgentMachine, _ tool: String, shown: String
        ) throws -> URL {
            let tools = machine.folder.file("tools")
            try FileManager.default.createDirectory(at: tools, withIntermediateDirectories: true)
            for tool in Set([tool, "busctl"]) {
                try FileManager.default.createSymbolicLink(
                    at: tools.appending(path: tool),
                    withDestinationURL: Repository.path(of: tool)
                        ?? URL(filePath: "/usr/bin/\(tool)"))
            }
            let arrive =
                "XDG_RUNTIME_DIR='\(tools.path())' PATH='\(tools.path())' "
                + "'\(Repository.gatehouse.path())' agent arrived --desktop --account anna "
                + "--socket '\(machine.socket)'"
            let service = Repository.peers.appending(path: "agent/notifications.py").path()
            return try machine.folder.write(
                """
                serve() {
                    python3 '\(service)' "$1" &
                    until grep -q ready "$1" 2>/dev/null; do sleep 0.1; done
                }
                serve '\(shown)'
                \(arrive) && \(arrive) || exit
                kill $! && wait $!
                serve '\(shown).anew'
                \(arrive)
                status=$?
                kill $!
                exit $status
                """, to: "session.sh")
        }

        @Test(
            "at a terminal without a desktop the line is shown",
            .enabled(if: TerminalSession.isAvailable, "needs tmux"))
        func terminal() async throws {
            let (server, machine, agent) = try await house("agent-arrival-terminal")
            for words in [[], ["--desktop"]] {
                let terminal = try await TerminalSession(
                    Repository.gatehouse,
                    ["agent", "arrived", "--account", "anna", "--socket", machine.socket] + words,
                    columns: 100, rows: 10,
                    environment: ["DBUS_SESSION_BUS_ADDRESS": "", "XDG_RUNTIME_DIR": ""])
                try await terminal.shows(Self.wish)
                #expect(try await terminal.status() == 0)
            }
            let report = try await machine.ask("agent", "arrived", "--account", "anna", "--json")
            let found = try JSON(parsing: Array(report.output.utf8))
            #expect(found["wants"].string == "register" && found["told"] == true)
            #expect(try await agent.stop() == 0)
            try await server.stop()
        }
    }
}
