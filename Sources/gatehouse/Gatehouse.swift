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

    /// Runs the command with normal priority.
    ///
    /// The task of `main` has the priority of user-initiated work, which its child tasks inherit.
    /// For their threads Dispatch requests a niceness of -2 on Linux (`_dispatch_worker_thread`),
    /// and logs "Failed to set thread priority" for each one if the process has no right to it.
    /// Awaiting the value of the detached task would raise its priority again.
    static func main() async {
        await withCheckedContinuation { (finished: CheckedContinuation<Void, Never>) in
            Task.detached(priority: .medium) {
                await CommandExit.run(Gatehouse.self)
                finished.resume()
            }
        }
    }
}
