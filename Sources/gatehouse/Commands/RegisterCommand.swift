// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

/// `gatehouse register`
struct RegisterCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "register",
        abstract: "Register what you sign in with.",
        discussion: "Example: gatehouse register security-key --username anna",
        subcommands: [RegisterSecurityKeyCommand.self])
}
