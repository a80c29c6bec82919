// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import JOSE
import ProviderAdministration

/// The PIN policy of app installations.
struct AdminPINPolicyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pin-policy",
        abstract: "Show and change the PIN policy of app installations.",
        discussion: """
            Examples:

              gatehouse admin pin-policy show
              gatehouse admin pin-policy set use=required length=6 attempts=3
            """,
        subcommands: [Show.self, Set.self])

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Show the current settings.",
            discussion: "Example: gatehouse admin pin-policy show")
        @OptionGroup var place: ProjectOptions

        func run() async throws { try await place.show(.showPINPolicy) }
    }

    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set", abstract: "Change the given settings.",
            discussion: "Example: gatehouse admin pin-policy set length=6 attempts=3")
        @OptionGroup var settings: SettingsGroup
        @OptionGroup var place: ProjectOptions

        func run() async throws {
            try await place.change(.putPINPolicy, body: .object(settings.object()))
        }
    }
}
