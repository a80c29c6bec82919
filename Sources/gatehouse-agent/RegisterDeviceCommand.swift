import Agent
// SPDX-License-Identifier: Apache-2.0
import AgentClient
import ArgumentParser
import CommandLineSupport
import JOSE

/// `gatehouse-agent register device`
struct RegisterDeviceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "device",
        abstract: "Register this device with the provider that its profile names.",
        discussion: """
            With a registration token in the profile the agent registers the device automatically. \
            Needs root. If a person has to sign in and there is no browser, for example over ssh, \
            or with --phone, it displays a QR code for a phone.

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
        abstract: "Register yourself on this device, and sign in.",
        discussion: """
            Registers the device first if it is not registered. Prompts for your username and \
            password at the provider, or opens a page of the provider if it accepts no passwords. \
            Without a browser, for example over ssh, or with --phone, it displays a QR code for a \
            phone.

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
