// SPDX-License-Identifier: Apache-2.0
import Agent
import ArgumentParser
import JOSE

/// `gatehouse register device`
struct RegisterDeviceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "device",
        abstract: "Register this machine at the provider that its profile names.",
        discussion: """
            With a registration token in the profile the agent does this by itself. Needs root.

            Example: sudo gatehouse register device
            """)

    @OptionGroup var agent: AgentOptions
    @OptionGroup var output: OutputOptions

    @Flag(help: "Register again what is registered, with the same keys.")
    var repair = false

    func run() async throws {
        let value = try await agent.send(.registerDevice, repair: repair)
        try StatusText.print(value, json: output.json)
    }
}

/// `gatehouse register user`
struct RegisterUserCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user",
        abstract: "Register yourself on this machine, and sign in.",
        discussion: """
            Registers the machine first where that is not done yet. You are asked for your user name \
            and password at the provider.

            Example: gatehouse register user
            """)

    @OptionGroup var agent: AgentOptions
    @OptionGroup var output: OutputOptions

    @Flag(help: "Register again what is registered.")
    var repair = false

    func run() async throws {
        let value = try await agent.send(.registerUser, repair: repair)
        try StatusText.print(value, json: output.json)
    }
}
