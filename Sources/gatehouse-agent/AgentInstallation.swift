// SPDX-License-Identifier: Apache-2.0
import Agent
import CommandLineSupport
import Platform

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The files that `agent install` creates and `agent uninstall` removes.
struct AgentInstallation {
    struct File {
        let folder: String
        let name: String
        let text: String
    }

    /// The root directory; empty for the running system.
    let root: String
    /// Runs systemctl and returns whether it succeeded; `nil` if systemd does not run.
    let systemctl: (([String]) throws -> Bool)?
    let report: (String) -> Void
    /// Whether ``root`` is an image of a system that does not run.
    var isImage = false

    private static let systemUnits = [ServiceUnits.socketName, ServiceUnits.serviceName]
    private static let systemFolder = "/etc/systemd/system"
    private static let places =
        systemUnits.map { (systemFolder, $0) } + [
            (SessionStartUnits.userFolder, SessionStartUnits.serviceName),
            (SessionStartUnits.userFolder, SessionStartUnits.timerName),
            (SessionStartUnits.autostartFolder, SessionStartUnits.autostartName),
        ]

    /// On this machine, or in an image of one, where nothing runs.
    static func real(_ root: String) -> AgentInstallation {
        let isRunning = root.isEmpty && FileSystem.exists("/run/systemd/system")
        let run: (([String]) throws -> Bool)? = isRunning ? { try runSystemctl($0) } : nil
        var installation = AgentInstallation(root: root, systemctl: run) {
            StandardError.print($0)
        }
        installation.isImage = !root.isEmpty
        return installation
    }

    static func files(_ units: ServiceUnits, _ arrival: SessionStartUnits) -> [File] {
        let texts = [
            units.socket, units.service, arrival.service, arrival.timer, arrival.autostart,
        ]
        return zip(places, texts).map { File(folder: $0.0, name: $0.1, text: $1) }
    }

    // MARK: Installing

    /// - Throws: ``CommandError``.
    func install(_ files: [File], _ arrival: SessionStartUnits) throws {
        for file in files { try write(file) }
        try makeProfiles()
        report(
            """
            To ask people at terminals as well, add to /etc/pam.d/login and /etc/pam.d/sshd:
              \(arrival.pamLine)
            """)
        guard let systemctl else {
            guard isImage else {
                return report(
                    "systemd does not run here. Without it: gatehouse-agent run, as root.")
            }
            let units = Self.systemUnits.joined(separator: " ")
            return report(
                """
                Nothing is switched on yet in this image:
                  systemctl --root=\(root) enable \(units)
                  systemctl --root=\(root) --global enable \(SessionStartUnits.timerName)
                """)
        }
        for words in [["daemon-reload"]] + Self.systemUnits.map({ ["enable", "--now", $0] }) {
            guard try systemctl(words) else { throw Self.failed(words) }
        }
        // Enables the timer for all users from their next session. The agent runs without it.
        let words = ["--global", "enable", SessionStartUnits.timerName]
        if try !systemctl(words) {
            report(
                "Warning: \(Self.failed(words)). Desktops ask when a session begins, and not "
                    + "every hour of it.")
        }
        report("The agent runs. Now: gatehouse-agent status")
    }

    /// Writes a file that all users can read, independently of root's umask, because user sessions
    /// read some of the units.
    private func write(_ file: File) throws {
        let path = "\(root)\(file.folder)/\(file.name)"
        do {
            try makeFolder(root + file.folder)
            try DurableFile.replace(path, with: Array(file.text.utf8), mode: 0o644)
        } catch { throw CommandError("\(path) cannot be written; are you root?") }
        report("Wrote \(path)")
    }

    /// Does not change existing directories.
    private func makeFolder(_ path: String) throws {
        guard !path.isEmpty, !FileSystem.exists(path) else { return }
        if let slash = path.lastIndex(of: "/") { try makeFolder(String(path[..<slash])) }
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false)
        try FileSystem.setPermissions(path, 0o755)
    }

    /// Creates the directory for profiles, or changes the mode of an existing one. Only root can
    /// read it, because profiles may contain a registration token.
    private func makeProfiles() throws {
        let path = root + "/etc/gatehouse/profiles"
        do {
            try makeFolder(path)
            try FileSystem.setPermissions(path, 0o700)
        } catch { throw CommandError("\(path) cannot be created with access for its owner only") }
        report("Put the profile into \(path)")
    }

    // MARK: Uninstalling

    /// A line of a PAM file that runs a command of the agent.
    struct PAMLine: Equatable {
        let path: String
        let text: String
    }

    struct Removal: Equatable {
        var files: [String] = []
        /// The lines that the administrator has to remove.
        var pamLines: [PAMLine] = []
    }

    /// Removes the units and files. It is idempotent.
    ///
    /// - Throws: ``CommandError``. If a PAM file uses the agent for admission, it throws before it
    ///   changes anything.
    func uninstall() throws -> Removal {
        let lines = pamLines()
        if let line = lines.first(where: { $0.text.contains("agent admit") }) {
            throw CommandError(
                "\(line.path) uses the agent for admission, and would refuse all logins without it; "
                    + "remove that line first: \(line.text)")
        }
        try switchOff()
        var removal = Removal(pamLines: lines)
        for (folder, name) in Self.places {
            let path = "\(root)\(folder)/\(name)"
            guard try remove(path) else { continue }
            report("Removed \(path)")
            removal.files.append(path)
        }
        let words = ["daemon-reload"]
        if !removal.files.isEmpty, try systemctl?(words) == false {
            report("Warning: \(Self.failed(words))")
        }
        return removal
    }

    private func switchOff() throws {
        guard let systemctl else { return }
        let timer = "\(root)\(SessionStartUnits.userFolder)/\(SessionStartUnits.timerName)"
        let forEverybody = ["--global", "disable", SessionStartUnits.timerName]
        if FileSystem.exists(timer), try !systemctl(forEverybody) {
            report("Warning: \(Self.failed(forEverybody))")
        }
        // One call stops all units, because a connection in between would start the service again.
        let there = Self.systemUnits.filter {
            FileSystem.exists("\(root)\(Self.systemFolder)/\($0)")
        }
        let words = ["disable", "--now"] + there
        guard try there.isEmpty || systemctl(words) else { throw Self.failed(words) }
    }

    /// Returns whether the file existed.
    private func remove(_ path: String) throws -> Bool {
        do throws(PlatformError) { try FileSystem.remove(path) } catch {
            guard [.notFound, .notADirectory].contains(error.code) else {
                throw CommandError("\(path) cannot be removed; are you root?")
            }
            return false
        }
        return true
    }

    /// Returns the lines without comments.
    private func pamLines() -> [PAMLine] {
        let folder = root + "/etc/pam.d"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.sorted().flatMap { name -> [PAMLine] in
            let path = "\(folder)/\(name)"
            let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
            return text.split(whereSeparator: \.isNewline)
                .map { Self.trimmed($0) }
                .filter { !$0.hasPrefix("#") && Self.asksAgent($0) }
                .map { PAMLine(path: path, text: $0) }
        }
    }

    private static func trimmed(_ line: Substring) -> String {
        var line = line.drop(while: \.isWhitespace)
        while line.last?.isWhitespace == true { line.removeLast() }
        return String(line)
    }

    private static func asksAgent(_ line: String) -> Bool {
        line.contains("pam_exec.so")
            && ["agent arrived", "agent admit"].contains(where: line.contains)
    }

    // MARK: systemd

    private static func failed(_ words: [String]) -> CommandError {
        CommandError("systemctl \(words.joined(separator: " ")) failed")
    }

    private static func runSystemctl(_ words: [String]) throws -> Bool {
        try Subprocess.run("/usr/bin/env", ["systemctl"] + words) == 0
    }
}
