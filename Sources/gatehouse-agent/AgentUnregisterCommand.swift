// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

/// `gatehouse-agent unregister`
struct AgentUnregisterCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unregister",
        abstract: "Remove the registration of this device, or of your account on it.",
        discussion: """
            Your account at the provider and your other devices do not change.

            Example: gatehouse-agent unregister user
            """,
        subcommands: [UnregisterDeviceCommand.self, UnregisterUserCommand.self])
}
