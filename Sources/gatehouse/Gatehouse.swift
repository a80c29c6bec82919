// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

@main
struct Gatehouse: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gatehouse",
        subcommands: [InspectCommand.self]
    )
}
