import Agent
// SPDX-License-Identifier: Apache-2.0
import AgentClient
import ArgumentParser
import CommandLineSupport

/// `gatehouse-agent status`
struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show the registration, keys and next actions of this device.",
        discussion: """
            Root sees all users, other users see themselves.

            Example: gatehouse-agent status --json
            """)

    @OptionGroup var agent: AgentOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        try StatusText.print(try await agent.send(.status), json: output.json)
    }
}
