// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CommandLineSupport
import Testing

@testable import gatehouse_agent

/// What every command of the agent's program promises.
@Suite struct AgentHelpTests {
    private struct Command {
        let path: String
        let type: any ParsableCommand.Type
        let isLeaf: Bool

        var help: String { AgentProgram.helpMessage(for: type, columns: 200) }
    }

    private static let all = commands(below: AgentProgram.self, path: [])

    private static func commands(
        below parent: any ParsableCommand.Type, path: [String]
    ) -> [Command] {
        parent.configuration.subcommands.flatMap { type -> [Command] in
            let here = path + [type._commandName]
            let below = commands(below: type, path: here)
            return [Command(path: here.joined(separator: " "), type: type, isLeaf: below.isEmpty)]
                + below
        }
    }

    @Test("The program has the commands that a person, an administrator and PAM need")
    func found() {
        let paths = Set(Self.all.map(\.path))
        let expected = [
            "run", "install", "uninstall", "status", "register user", "register device",
            "unregister user", "unregister device", "sign-in", "token", "picture", "seal", "unseal",
            "rotate", "admit", "arrived", "request", "extension install",
        ]
        for path in expected { #expect(paths.contains(path), "\(path)") }
        #expect(paths.count == Self.all.count)
    }

    @Test("Every help has an example, and it is one of that command")
    func examples() {
        for command in Self.all {
            let help = command.help
            guard let start = help.firstRange(of: "Example")?.upperBound else {
                Issue.record("no example: \(command.path)")
                continue
            }
            #expect(help[start...].contains("gatehouse-agent \(command.path)"), "\(command.path)")
        }
    }

    @Test("Every command that prints data prints JSON when it is told to")
    func json() {
        // They print no data, or bytes, or what is JSON already.
        let silent = ["run", "install", "seal", "unseal", "request"]
        for command in Self.all where command.isLeaf && !silent.contains(command.path) {
            #expect(command.help.contains("--json"), "\(command.path)")
        }
    }

    @Test("No help takes more than a sentence to say what a command is for")
    func abstracts() {
        for command in Self.all {
            let abstract = command.type.configuration.abstract
            #expect(!abstract.isEmpty && abstract.count <= 90, "\(command.path)")
        }
    }

    @Test(
        "Help succeeds, a mistyped command line is usage, and errors begin with the program's name")
    func exits() {
        func outcome(_ arguments: String...) -> (code: Int32, text: String) {
            do {
                var command = try AgentProgram.parseAsRoot(arguments)
                if !(command is any AsyncParsableCommand) { try command.run() }
                return (-1, "")
            } catch { return CommandExit.outcome(of: error, in: AgentProgram.self) }
        }
        #expect(outcome("--help").code == 0)
        #expect(outcome("register", "user", "--help").code == 0)
        #expect(outcome("statsu").code == 2)
        #expect(outcome("run", "--rest-after", "30").code == 2)
        let refused = CommandExit.outcome(of: CommandError("x"), in: AgentProgram.self)
        #expect(refused == (1, "gatehouse-agent: x"))
    }
}
