import Agent
import ArgumentParser
// SPDX-License-Identifier: Apache-2.0
import CommandLineSupport
import JOSE

/// `gatehouse-agent register device`
struct RegisterDeviceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "device",
        abstract: "Register this machine at the provider that its profile names.",
        discussion: """
            With a registration token in the profile the agent does this by itself. Needs root. Where \
            somebody has to sign in and there is no browser, over ssh say, or with --phone, a QR code \
            is shown for a phone.

            Example: sudo gatehouse-agent register device
            """)

    @OptionGroup var agent: AgentOptions
    @OptionGroup var output: OutputOptions

    @Flag(help: "Repeat the registration with the same keys.")
    var repair = false

    @Flag(help: "Sign in with a browser on another device, by code.")
    var phone = false

    func run() async throws {
        let value = try await agent.send(.registerDevice, repair: repair, phone: phone)
        try StatusText.print(value, json: output.json)
    }
}

/// `gatehouse-agent register user`
struct RegisterUserCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user",
        abstract: "Register yourself on this machine, and sign in.",
        discussion: """
            Registers the machine first where that is not done yet. You are asked for your user name \
            and password at the provider; or you sign in on a page of it, where it takes none. Where \
            there is no browser, over ssh say, or with --phone, a QR code is shown for a phone.

            Example: gatehouse-agent register user
            """)

    @OptionGroup var agent: AgentOptions
    @OptionGroup var output: OutputOptions

    @Flag(help: "Repeat the registration.")
    var repair = false

    @Flag(help: "Register with a browser on another device, by code.")
    var phone = false

    func run() async throws {
        let value = try await agent.send(.registerUser, repair: repair, phone: phone)
        try StatusText.print(value, json: output.json)
    }
}
