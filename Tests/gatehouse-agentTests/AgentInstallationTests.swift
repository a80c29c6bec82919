// SPDX-License-Identifier: Apache-2.0
import Agent
import CommandLineSupport
import Foundation
import JOSE
import Support
import Synchronization
import Testing

@testable import gatehouse_agent

/// Each test has a fake system whose systemd records its calls.
@Suite struct AgentInstallationTests {
    private final class System: Sendable {
        let calls = Mutex<[String]>([])
        let said = Mutex<[String]>([])
        /// What fails: calls that begin so.
        let failing: String?

        init(failing: String? = nil) { self.failing = failing }

        func run(_ words: [String]) -> Bool {
            let line = words.joined(separator: " ")
            calls.withLock { $0.append(line) }
            return failing.map { !line.hasPrefix($0) } ?? true
        }

        var told: [String] { calls.withLock { $0 } }
        var text: String { said.withLock { $0.joined(separator: "\n") } }
    }

    private let folder = TestFolder()
    private static let names = [
        "/etc/systemd/system/gatehouse-agent.socket", "/etc/systemd/system/gatehouse-agent.service",
        "/etc/systemd/user/gatehouse-arrived.service", "/etc/systemd/user/gatehouse-arrived.timer",
        "/etc/xdg/autostart/gatehouse-arrived.desktop",
    ]

    private func installation(_ system: System, runs: Bool = true) -> AgentInstallation {
        AgentInstallation(
            root: folder.path("root"), systemctl: runs ? system.run : nil,
            report: { line in system.said.withLock { $0.append(line) } })
    }

    private func install(_ system: System, runs: Bool = true) throws {
        let arrival = SessionStartUnits(program: "/usr/local/bin/gatehouse")
        let units = ServiceUnits(program: "/usr/local/bin/gatehouse")
        try installation(system, runs: runs)
            .install(AgentInstallation.files(units, arrival), arrival)
    }

    private var there: [String] {
        Self.names.filter { FileManager.default.fileExists(atPath: folder.path("root") + $0) }
    }

    private func pam(_ text: String, _ name: String) throws {
        let path = folder.path("root/etc/pam.d")
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(filePath: "\(path)/\(name)"))
    }

    @Test("What was written and switched on is switched off and removed, once")
    func back() throws {
        let system = System()
        try install(system)
        #expect(there == Self.names)
        #expect(
            system.told == [
                "daemon-reload", "enable --now gatehouse-agent.socket",
                "enable --now gatehouse-agent.service", "--global enable gatehouse-arrived.timer",
            ])
        let other = System()
        let removal = try installation(other).uninstall()
        #expect(removal.files == Self.names.map { folder.path("root") + $0 })
        #expect(removal.pamLines.isEmpty && there.isEmpty)
        #expect(
            other.told == [
                "--global disable gatehouse-arrived.timer",
                "disable --now gatehouse-agent.socket gatehouse-agent.service", "daemon-reload",
            ])
        #expect(FileManager.default.fileExists(atPath: folder.path("root/etc/gatehouse/profiles")))
        let again = System()
        #expect(try installation(again).uninstall() == AgentInstallation.Removal())
        #expect(again.told.isEmpty && again.text.isEmpty)
    }

    @Test(
        "The agent closes the directory of profiles, and not the one above, which has other configuration"
    )
    func profiles() throws {
        let configuration = folder.path("root/etc/gatehouse")
        AgentRunCommand.makeProfiles(configuration + "/profiles")
        func mode(_ path: String) throws -> Int? {
            let facts = try FileManager.default.attributesOfItem(atPath: path)
            return (facts[.posixPermissions] as? NSNumber)?.intValue
        }
        #expect(try mode(configuration) == 0o755)
        #expect(try mode(configuration + "/profiles") == 0o700)
        AgentRunCommand.makeProfiles(configuration + "/profiles")
        #expect(try mode(configuration) == 0o755)
    }

    @Test("Where systemd does not run nothing is told to it")
    func plain() throws {
        let system = System()
        try install(system, runs: false)
        #expect(system.text.contains("systemd does not run here"))
        _ = try installation(system, runs: false).uninstall()
        #expect(there.isEmpty && system.told.isEmpty)
    }

    @Test("In an image nothing is switched on, and how to do that is said")
    func image() throws {
        let system = System()
        var image = installation(system, runs: false)
        image.isImage = true
        let arrival = SessionStartUnits(program: "/usr/local/bin/gatehouse")
        let units = ServiceUnits(program: "/usr/local/bin/gatehouse")
        try image.install(AgentInstallation.files(units, arrival), arrival)
        #expect(there == Self.names && system.told.isEmpty)
        let root = folder.path("root")
        #expect(
            system.text.contains(
                "systemctl --root=\(root) enable gatehouse-agent.socket gatehouse-agent.service"))
        #expect(!system.text.contains("does not run here"))
    }

    @Test("An agent that runs is installed, also where desktops will not ask every hour")
    func warning() throws {
        let system = System(failing: "--global")
        try install(system)
        #expect(system.text.contains("Warning: systemctl --global enable gatehouse-arrived.timer"))
        #expect(system.text.hasSuffix("The agent runs. Now: gatehouse-agent status"))
        let removal = try installation(System(failing: "--global")).uninstall()
        #expect(removal.files.count == 5)
    }

    @Test("An agent that does not start is not said to run; one that does not stop is not removed")
    func failing() throws {
        for call in ["daemon-reload", "enable --now gatehouse-agent.service"] {
            let system = System(failing: call)
            #expect(throws: CommandError("systemctl \(call) failed")) { try install(system) }
            #expect(!system.text.contains("The agent runs"))
        }
        #expect(throws: CommandError.self) {
            try installation(System(failing: "disable --now")).uninstall()
        }
        #expect(there == Self.names)
    }

    @Test("While PAM checks an admission, nothing is changed")
    func doors() throws {
        try install(System())
        try pam(
            "auth required pam_exec.so expose_authtok quiet /usr/bin/gatehouse-agent admit login\n",
            "sshd")
        let system = System()
        let refusal = #expect(throws: CommandError.self) { try installation(system).uninstall() }
        #expect(
            refusal?.description.contains("/etc/pam.d/sshd uses the agent for admission") == true)
        #expect(there == Self.names && system.told.isEmpty)
    }

    @Test("What was added to PAM to ask people is named, and comments are not")
    func lines() throws {
        try install(System())
        let line = SessionStartUnits(program: "/usr/local/bin/gatehouse-agent").pamLine
        try pam("auth include common\n  \(line)\n", "login")
        try pam("# \(line)\n#auth required pam_exec.so gatehouse-agent admit login\n", "sshd")
        let removal = try installation(System()).uninstall()
        #expect(
            removal.pamLines == [.init(path: folder.path("root/etc/pam.d/login"), text: line)])
        #expect(removal.json["pam"]?.array?.count == 1)
        #expect(removal.json["removed"]?.array?.count == 5)
    }
}
