// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Testing

@testable import gatehouse

/// What every command promises, read from every command that there is.
@Suite struct CommandHelpTests {
    private struct Command {
        let path: String
        let type: any ParsableCommand.Type
        let isLeaf: Bool

        var help: String { Gatehouse.helpMessage(for: type, columns: 200) }
    }

    private static let all = commands(below: Gatehouse.self, path: [])

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

    /// The parser derives a missing name by reflection, which costs half a millisecond for each
    /// command at every start of the program.
    @Test("Every command states its name")
    func statedNames() {
        let unnamed = Self.all.filter { $0.type.configuration.commandName == nil }
        #expect(unnamed.map(\.path) == [])
    }

    @Test("All commands are found")
    func found() {
        let paths = Set(Self.all.map(\.path))
        for path in ["serve", "store backup", "admin people sign-out", "inspect jwe"] {
            #expect(paths.contains(path), "\(path)")
        }
        #expect(paths.count == Self.all.count && paths.count > 40)
    }

    @Test("Every help has an example, and it is one of that command")
    func examples() {
        for command in Self.all {
            let help = command.help
            guard let start = help.firstRange(of: "Example")?.upperBound else {
                Issue.record("no example: \(command.path)")
                continue
            }
            #expect(help[start...].contains("gatehouse \(command.path)"), "\(command.path)")
        }
    }

    @Test("Every command that prints data prints JSON when it is told to")
    func json() {
        // They print no data: what they say is their log or a story. A schema is JSON already.
        let silent = ["serve", "tour", "state schema"]
        // Commands of gatehouse-agent have the test there.
        for command in Self.all
        where command.isLeaf && !silent.contains(command.path)
            && !(command.type is any ForwardedCommand.Type)
        {
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
}
