// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
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
            return CommandExit.outcome(of: error).code
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
        #expect(CommandExit.outcome(of: CommandError("x")).code == 1)
        #expect(CommandExit.outcome(of: CommandError("x", code: .badInput)).code == 2)
        #expect(CommandExit.outcome(of: ConfigurationError(nil, "x")).code == 2)
        #expect(CommandExit.outcome(of: ExitCode(1)) == (1, ""))
    }

    @Test("On a narrow terminal sentences break between words, and addresses stay whole")
    func narrow() {
        let text = "gatehouse: no agent answers here; start it with: gatehouse agent run"
        #expect(
            CommandExit.rows(text, columns: 40)
                == "gatehouse: no agent answers here; start\nit with: gatehouse agent run")
        #expect(CommandExit.rows(text, columns: .max) == text)
        let address = "gatehouse: ask https://identity.example.com/a/very/long/path for more"
        #expect(CommandExit.rows(address, columns: 30) == address)
        let laid = "usage: it\n  an option that has its place already, and keeps it"
        #expect(CommandExit.rows(laid, columns: 20) == laid)
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
