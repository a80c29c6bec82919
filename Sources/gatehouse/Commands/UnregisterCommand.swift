// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

/// `gatehouse unregister`
struct UnregisterCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unregister",
        abstract: "Take a registration back: a security key's, this machine's, or yours on it.",
        discussion: """
            Your account stands; what is registered elsewhere stays.

            Examples:

              gatehouse unregister user
              gatehouse unregister security-key
            """,
        subcommands: [
            UnregisterSecurityKeyCommand.self, ForwardedUnregisterDeviceCommand.self,
            ForwardedUnregisterUserCommand.self,
        ])
}
