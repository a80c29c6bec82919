// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CommandLineSupport
import Dispatch

/// `gatehouse-agent`
struct AgentProgram: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gatehouse-agent",
        abstract: "The agent of a Linux device: registers it and its people with their provider.",
        discussion: """
            Start with:

              sudo gatehouse-agent install

            It reads the profiles in /etc/gatehouse/profiles, the same that Macs get. Where a \
            profile holds a registration token, nothing is asked. Otherwise:

              gatehouse-agent register user
              gatehouse-agent status

            Exit codes: 0 done, 1 refused or failed, 2 usage or bad input. Data goes to standard \
            output, everything else to standard error.
            """,
        version: Version.text,
        groupedSubcommands: [
            CommandGroup(
                name: "You and this device",
                subcommands: [
                    StatusCommand.self, AgentRegisterCommand.self, AgentUnregisterCommand.self,
                    AgentSignInCommand.self, AgentTokenCommand.self, AgentPictureCommand.self,
                    AgentSealCommand.self, AgentUnsealCommand.self,
                ]),
            CommandGroup(
                name: "Operation, as root",
                subcommands: [
                    AgentInstallCommand.self, AgentUninstallCommand.self, AgentRunCommand.self,
                    AgentRotateCommand.self, ExtensionCommand.self,
                ]),
            CommandGroup(
                name: "For PAM, desktops and apps",
                subcommands: [
                    AgentAdmitCommand.self, AgentArrivedCommand.self, AgentRequestCommand.self,
                ]),
        ])

    /// Runs the command that the arguments name, to its end.
    static func launch() {
        EventLoopExecutor.install()
        let end = DispatchSemaphore(value: 0)
        Task.detached {
            await CommandExit.run(AgentProgram.self)
            end.signal()
        }
        end.wait()
    }
}
