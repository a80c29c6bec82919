// SPDX-License-Identifier: Apache-2.0
import Agent
import ArgumentParser
import Foundation

/// `gatehouse agent install`
struct AgentInstallCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "install",
        abstract: "Have systemd run the agent: its socket from the start, itself on demand.",
        discussion: """
            Writes gatehouse-agent.socket and gatehouse-agent.service to /etc/systemd/system and \
            switches them on. Where systemd does not run, it writes them and says how to run the \
            agent without. It has desktops ask people to register or to sign in (/etc/xdg/autostart, \
            and a timer in /etc/systemd/user), and says what to add to PAM for terminals. Arguments after -- go to agent run. The service is this program: it \
            must be root's, all folders above it too, and lie in no home.

            Examples:

              sudo gatehouse agent install -- --keys tpm
              sudo gatehouse agent install --token-dir /var/lib/hsm -- --keys pkcs11 \\
                --pkcs11-module /usr/lib/hsm.so --pin-file /etc/gatehouse/pin
              gatehouse agent install --print
            """)

    @Flag(help: "Print the units and write nothing.")
    var print = false
    @Option(help: ArgumentHelp("Where /etc is, for images of systems.", valueName: "dir"))
    var root = ""
    @Option(
        help: ArgumentHelp(
            "A folder where a PKCS#11 module keeps tokens, for the service to write; repeatable.",
            valueName: "dir"))
    var tokenDir: [String] = []
    @Argument(parsing: .postTerminator, help: "Arguments of agent run.")
    var arguments: [String] = []

    func run() async throws {
        let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let units = ServiceUnits(
            program: program, arguments: arguments, tokenFolders: tokenDir,
            hasTPM: root.isEmpty && FileCalls.exists(ServiceUnits.standardTPM))
        let arrival = ArrivalUnits(program: program)
        let files = Self.files(units, arrival)
        if print {
            for file in files { Swift.print("# \(file.name)\n\(file.text)") }
            return
        }
        // In an image the program is another file, which only its maker sees.
        if root.isEmpty { try ServiceProgram.check(program) }
        for file in files {
            let folder = root + file.folder
            try write(file.text, to: "\(folder)/\(file.name)", in: folder)
        }
        try makeProfiles()
        StandardError.print(
            """
            To ask people at terminals as well, add to /etc/pam.d/login and /etc/pam.d/sshd:
              \(arrival.pamLine)
            """)
        try switchOn()
    }

    private struct File {
        let folder: String
        let name: String
        let text: String
    }

    private static func files(_ units: ServiceUnits, _ arrival: ArrivalUnits) -> [File] {
        let (system, user) = ("/etc/systemd/system", ArrivalUnits.userFolder)
        return [
            File(folder: system, name: ServiceUnits.socketName, text: units.socket),
            File(folder: system, name: ServiceUnits.serviceName, text: units.service),
            File(folder: user, name: ArrivalUnits.serviceName, text: arrival.service),
            File(folder: user, name: ArrivalUnits.timerName, text: arrival.timer),
            File(
                folder: ArrivalUnits.autostartFolder, name: ArrivalUnits.autostartName,
                text: arrival.autostart),
        ]
    }

    private func write(_ text: String, to path: String, in folder: String) throws {
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true)
            try text.write(toFile: path, atomically: true, encoding: .utf8)
        } catch { throw CommandError("\(path) cannot be written; are you root?") }
        StandardError.print("Wrote \(path)")
    }

    /// For root only, also where it was there already: profiles may hold a registration token.
    private func makeProfiles() throws {
        let path = root + "/etc/gatehouse/profiles"
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true)
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
        } catch { throw CommandError("\(path) cannot be made, or not closed to others") }
        StandardError.print("Put the profile into \(path)")
    }

    private func switchOn() throws {
        guard root.isEmpty, FileCalls.exists("/run/systemd/system") else {
            StandardError.print(
                "systemd does not run here. Without it: gatehouse agent run, as root.")
            return
        }
        for words in [
            ["daemon-reload"], ["enable", "--now", ServiceUnits.socketName],
            ["enable", "--now", ServiceUnits.serviceName],
            // For everybody, from their next session.
            ["--global", "enable", ArrivalUnits.timerName],
        ] {
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/env")
            process.arguments = ["systemctl"] + words
            try process.run()
            process.waitUntilExit()
            guard process.terminationStatus == 0 else {
                throw CommandError("systemctl \(words.joined(separator: " ")) failed")
            }
        }
        StandardError.print("The agent runs. Now: gatehouse status")
    }
}
