// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

/// `gatehouse register`
struct RegisterCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "register",
        abstract: "Register a security key, this device, or your account on it.",
        discussion: """
            Examples:

              gatehouse register security-key --username anna
              gatehouse register user
            """,
        subcommands: [
            RegisterSecurityKeyCommand.self, ForwardedRegisterDeviceCommand.self,
            ForwardedRegisterUserCommand.self,
        ])
}
