// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Testing

@testable import gatehouse

@Suite struct CommandNameTests {
    /// The parser derives a missing name by reflection, which costs half a millisecond for each
    /// command at every start of the program.
    @Test("every command states its name")
    func stated() {
        #expect(Self.unnamed(Gatehouse.self) == [])
    }

    private static func unnamed(_ command: any ParsableCommand.Type) -> [String] {
        let own = command.configuration.commandName == nil ? ["\(command)"] : []
        return own + command.configuration.subcommands.flatMap(unnamed)
    }
}
