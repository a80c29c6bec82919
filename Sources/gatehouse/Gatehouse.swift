// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CommandLineSupport

@main
struct Gatehouse: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gatehouse",
        abstract: "An identity provider: register once, sign in everywhere.",
        discussion: """
            Start with:

              gatehouse serve --demo

            Exit codes: 0 done, 1 refused or failed, 2 usage or bad input. Data goes to standard \
            output, everything else to standard error.
            """,
        version: Version.text,
        groupedSubcommands: [
            CommandGroup(name: "Provider", subcommands: [ServeCommand.self, TourCommand.self]),
            CommandGroup(
                name: "Declarative state",
                subcommands: [
                    PlanCommand.self, ApplyCommand.self, ExportCommand.self, StateCommand.self,
                ]),
            CommandGroup(
                name: "Operation",
                subcommands: [StoreCommand.self, KeysCommand.self, AdminCommand.self]),
            CommandGroup(
                name: "Signing in",
                subcommands: [
                    LoginCommand.self, LogoutCommand.self, WhoAmICommand.self, TokenCommand.self,
                    RegisterCommand.self, UnregisterCommand.self, SecurityKeyCommand.self,
                ]),
            CommandGroup(
                name: "Devices",
                subcommands: [
                    PlatformSSOCommand.self, AgentCommand.self,
                    ForwardedExtensionCommand.self, ForwardedStatusCommand.self,
                ]),
            CommandGroup(name: "For debugging", subcommands: [InspectCommand.self]),
        ])

    static func main() async { await CommandExit.run(Gatehouse.self) }
}
