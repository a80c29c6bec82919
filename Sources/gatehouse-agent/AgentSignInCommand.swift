import Agent
// SPDX-License-Identifier: Apache-2.0
import AgentClient
import ArgumentParser
import CommandLineSupport
import JOSE

/// `gatehouse-agent sign-in`
struct AgentSignInCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign-in",
        abstract: "Sign in again on this device, when the agent requires it.",
        discussion: "Example: gatehouse-agent sign-in")

    @OptionGroup var agent: AgentOptions
    @OptionGroup var output: OutputOptions
    @Flag(help: "Only renew the tokens, without user interaction.")
    var refresh = false

    func run() async throws {
        let value = try await agent.send(refresh ? .refresh : .signIn)
        try StatusText.print(value, json: output.json)
    }
}

/// `gatehouse-agent token`
struct AgentTokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Print the ID token of your sign-in on this device, renewed when due.",
        discussion: """
            gatehouse-agent run sets which programs may request it.

            Example: gatehouse-agent token
            """)

    @OptionGroup var agent: AgentOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        let value = try await agent.send(.token)
        print(output.json ? value.text : value["id_token"]?.string ?? "")
    }
}
