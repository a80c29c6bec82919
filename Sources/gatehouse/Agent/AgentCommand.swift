// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

/// `gatehouse agent`
struct AgentCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "agent",
        abstract:
            "The agent of this device: registers it and its people, and keeps them signed in.",
        discussion: """
            It reads the profiles in /etc/gatehouse/profiles, the same that Macs get (see gatehouse \
            platform-sso profile). Where a profile holds a registration token, nothing is asked.

            Examples:

              sudo gatehouse agent install
              gatehouse register user
              gatehouse status
              gatehouse agent seal --output disk.sealed < disk.key
            """,
        subcommands: [
            AgentRunCommand.self, AgentInstallCommand.self, AgentUninstallCommand.self,
            AgentArrivedCommand.self, AgentSignInCommand.self, AgentTokenCommand.self,
            AgentRequestCommand.self, AgentAdmitCommand.self, AgentSealCommand.self,
            AgentUnsealCommand.self, AgentRotateCommand.self, AgentPictureCommand.self,
        ])
}
