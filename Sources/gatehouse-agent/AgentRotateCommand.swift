import Agent
// SPDX-License-Identifier: Apache-2.0
import AgentClient
import ArgumentParser
import CommandLineSupport
import JOSE

/// `gatehouse-agent rotate`
struct AgentRotateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate",
        abstract: "Replace the keys of this device, and of its users without a PIN.",
        discussion: """
            The provider takes the old ones for another day. Where the profile has key_rotation, the \
            agent does it by itself. Needs root.

            Example: sudo gatehouse-agent rotate
            """)

    @OptionGroup var agent: AgentOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        try StatusText.print(try await agent.send(.rotate), json: output.json)
    }
}
