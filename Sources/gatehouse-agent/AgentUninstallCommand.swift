// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CommandLineSupport
import JOSE

/// `gatehouse-agent uninstall`
struct AgentUninstallCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "uninstall",
        abstract: "Revert the changes of install.",
        discussion: """
            Stops the agent, and removes its units and autostart files. It lists the PAM lines to \
            remove and does not change them; it changes nothing while one of them uses the agent \
            for admission. Profiles, keys and the registration remain; use gatehouse-agent unregister \
            device first. It is idempotent. Needs root.

            Examples:

              sudo gatehouse-agent unregister device && sudo gatehouse-agent uninstall
              sudo gatehouse-agent uninstall --json
            """)

    @OptionGroup var output: OutputOptions
    @Option(help: ArgumentHelp("Directory that contains etc, for system images.", valueName: "dir"))
    var root = ""

    func run() async throws {
        let removal = try AgentInstallation.real(root).uninstall()
        if output.json { return print(removal.json.text) }
        if removal.files.isEmpty { StandardError.print("Nothing of the agent is installed.") }
        for line in removal.pamLines {
            StandardError.print("Take out of \(line.path):\n  \(line.text)")
        }
    }
}

extension AgentInstallation.Removal {
    var json: JSONValue {
        let lines = pamLines.map { line -> JSONValue in
            ["path": .string(line.path), "line": .string(line.text)]
        }
        return ["removed": .array(files.map(JSONValue.string)), "pam": .array(lines)]
    }
}
