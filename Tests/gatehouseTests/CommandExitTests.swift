// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CommandLineSupport
import Primitives
import Testing

@testable import gatehouse

@Suite struct CommandExitTests {
    private func code(_ arguments: String...) -> Int32 {
        do {
            var command = try Gatehouse.parseAsRoot(arguments)
            // Help is a separate command, which ends with an exit error.
            if !(command is any AsyncParsableCommand) { try command.run() }
            return -1
        } catch {
            return CommandExit.outcome(of: error, in: Gatehouse.self).code
        }
    }

    @Test("Help and version succeed, a mistyped command line is usage")
    func codes() {
        #expect(code("--help") == 0)
        #expect(code("serve", "--help") == 0)
        #expect(code("--version") == 0)
        #expect(code("srve") == 2)
        #expect(code("serve", "--lisen", "x") == 2)
        #expect(code("plan") == 2)
    }

    @Test("Refusals are 1, bad input and configuration are 2")
    func errors() {
        #expect(CommandExit.outcome(of: CommandError("x"), in: Gatehouse.self).code == 1)
        #expect(
            CommandExit.outcome(of: CommandError("x", code: .badInput), in: Gatehouse.self).code
                == 2)
        let configuration = CommandExit.outcome(
            of: ConfigurationError(nil, "x"), in: Gatehouse.self)
        #expect(configuration == (2, "gatehouse: x"))
        #expect(CommandExit.outcome(of: ExitCode(1), in: Gatehouse.self) == (1, ""))
    }

    @Test("How long ago is understood, other words are refused")
    func moments() throws {
        #expect(
            try AdminAuditCommand.moment("1h", now: .init(seconds: 3600))
                == "1970-01-01T00:00:00.000Z")
        for text in ["", "h", "-1h", "1w", "yesterday", "99999999999h"] {
            #expect(throws: CommandError.self) { try AdminAuditCommand.moment(text) }
        }
    }
}
