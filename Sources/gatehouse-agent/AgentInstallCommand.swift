// SPDX-License-Identifier: Apache-2.0
import Agent
import ArgumentParser
import CommandLineSupport
import Platform

/// `gatehouse-agent install`
struct AgentInstallCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "install",
        abstract: "Have systemd run the agent: its socket from the start, itself on demand.",
        discussion: """
            Writes gatehouse-agent.socket and gatehouse-agent.service to /etc/systemd/system and \
            switches them on. Where systemd does not run, the units are written all the same, and \
            how to run the agent without them is said. Desktops are told to ask people to register \
            or to sign in (/etc/xdg/autostart, and a timer in /etc/systemd/user); for terminals, \
            what to add to PAM is said. Arguments after -- go to run. The service is this \
            program: it must be root's, all folders above it too, and lie in no home. What was \
            done is taken back by uninstall.

            Examples:

              sudo gatehouse-agent install -- --keys tpm
              sudo gatehouse-agent install --token-dir /var/lib/hsm -- --keys pkcs11 \\
                --pkcs11-module /usr/lib/hsm.so --pin-file /etc/gatehouse/pin
              gatehouse-agent install --print
            """)

    @Flag(help: "Print the units and write nothing.")
    var print = false
    @Option(help: ArgumentHelp("Directory that contains etc, for system images.", valueName: "dir"))
    var root = ""
    @Option(
        help: ArgumentHelp(
            "A folder where a PKCS#11 module keeps tokens, for the service to write; repeatable.",
            valueName: "dir"))
    var tokenDir: [String] = []
    @Argument(parsing: .postTerminator, help: "Arguments of run.")
    var arguments: [String] = []

    func run() async throws {
        let program = try FileSystem.target(ofLink: "/proc/self/exe")
        let units = ServiceUnits(
            program: program, arguments: arguments, tokenFolders: tokenDir,
            hasTPM: root.isEmpty && FileCalls.exists(ServiceUnits.standardTPM))
        let arrival = SessionStartUnits(program: program)
        let files = AgentInstallation.files(units, arrival)
        if print {
            for file in files { Swift.print("# \(file.name)\n\(file.text)") }
            return
        }
        // In an image the program is another file, which only its maker sees.
        if root.isEmpty { try ServiceProgram.check(program) }
        try AgentInstallation.real(root).install(files, arrival)
    }
}
