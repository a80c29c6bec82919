// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

/// `gatehouse unregister`
struct UnregisterCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unregister",
        abstract: "Remove a registration: of a security key, of this device, or yours on it.",
        discussion: """
            Your account is kept, and so are your other registrations.

            Examples:

              gatehouse unregister user
              gatehouse unregister security-key
            """,
        subcommands: [
            UnregisterSecurityKeyCommand.self, ForwardedUnregisterDeviceCommand.self,
            ForwardedUnregisterUserCommand.self,
        ])
}
