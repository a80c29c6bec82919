// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

/// `gatehouse-agent register`
struct AgentRegisterCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "register",
        abstract: "Register this device, or your account on it.",
        discussion: "Example: gatehouse-agent register user",
        subcommands: [RegisterDeviceCommand.self, RegisterUserCommand.self])
}
