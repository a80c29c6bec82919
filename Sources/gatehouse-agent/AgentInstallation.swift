import Agent
// SPDX-License-Identifier: Apache-2.0
import CommandLineSupport
import Foundation
import Platform

/// What `agent install` puts onto a machine, and `agent uninstall` takes away.
struct AgentInstallation {
    struct File {
        let folder: String
        let name: String
        let text: String
    }

    /// Where /etc is; empty for this machine.
    let root: String
    /// Runs systemctl: whether it succeeded. `nil` where systemd does not run.
    let systemctl: (([String]) throws -> Bool)?
    let say: (String) -> Void
    /// Whether ``root`` is a system that is being made, and does not run.
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

    // MARK: There

    /// - Throws: ``CommandError``.
    func install(_ files: [File], _ arrival: SessionStartUnits) throws {
        for file in files { try write(file) }
        try makeProfiles()
        say(
            """
            To ask people at terminals as well, add to /etc/pam.d/login and /etc/pam.d/sshd:
              \(arrival.pamLine)
            """)
        guard let systemctl else {
            guard isImage else {
                return say("systemd does not run here. Without it: gatehouse-agent run, as root.")
            }
            let units = Self.systemUnits.joined(separator: " ")
            return say(
                """
                Nothing is switched on yet in this image:
                  systemctl --root=\(root) enable \(units)
                  systemctl --root=\(root) --global enable \(SessionStartUnits.timerName)
                """)
        }
        for words in [["daemon-reload"]] + Self.systemUnits.map({ ["enable", "--now", $0] }) {
            guard try systemctl(words) else { throw Self.failed(words) }
        }
        // For everybody, from their next session. The agent runs without it.
        let words = ["--global", "enable", SessionStartUnits.timerName]
        if try !systemctl(words) {
            say(
                "Warning: \(Self.failed(words)). Desktops ask when a session begins, and not "
                    + "every hour of it.")
        }
        say("The agent runs. Now: gatehouse-agent status")
    }

    /// For everybody to read, whatever root's umask is: units of desktops are read by whoever sits there.
    private func write(_ file: File) throws {
        let path = "\(root)\(file.folder)/\(file.name)"
        do {
            try makeFolder(root + file.folder)
            try DurableFile.replace(path, with: Array(file.text.utf8), mode: 0o644)
        } catch { throw CommandError("\(path) cannot be written; are you root?") }
        say("Wrote \(path)")
    }

    /// Folders that were there stay as they are.
    private func makeFolder(_ path: String) throws {
        guard !path.isEmpty, !FileSystem.exists(path) else { return }
        if let slash = path.lastIndex(of: "/") { try makeFolder(String(path[..<slash])) }
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    }

    /// For root only, also where it was there already: profiles may hold a registration token.
    private func makeProfiles() throws {
        let path = root + "/etc/gatehouse/profiles"
        do {
            try makeFolder(path)
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
        } catch { throw CommandError("\(path) cannot be made, or not closed to others") }
        say("Put the profile into \(path)")
    }

    // MARK: Gone

    /// A line of a file of PAM that has it run the agent's commands.
    struct PAMLine: Equatable {
        let path: String
        let text: String
    }

    struct Removal: Equatable {
        var files: [String] = []
        /// To be taken out by whoever wrote them.
        var pamLines: [PAMLine] = []
    }

    /// Where nothing is left to take away it does nothing.
    ///
    /// - Throws: ``CommandError``; while PAM asks the agent whom to let in, before anything is changed.
    func uninstall() throws -> Removal {
        let lines = pamLines()
        if let line = lines.first(where: { $0.text.contains("agent admit") }) {
            throw CommandError(
                "\(line.path) asks the agent whom to let in, and without it would let nobody in; "
                    + "take that line out first: \(line.text)")
        }
        try switchOff()
        var removal = Removal(pamLines: lines)
        for (folder, name) in Self.places {
            let path = "\(root)\(folder)/\(name)"
            guard try remove(path) else { continue }
            say("Removed \(path)")
            removal.files.append(path)
        }
        let words = ["daemon-reload"]
        if !removal.files.isEmpty, try systemctl?(words) == false {
            say("Warning: \(Self.failed(words))")
        }
        return removal
    }

    private func switchOff() throws {
        guard let systemctl else { return }
        let timer = "\(root)\(SessionStartUnits.userFolder)/\(SessionStartUnits.timerName)"
        let forEverybody = ["--global", "disable", SessionStartUnits.timerName]
        if FileSystem.exists(timer), try !systemctl(forEverybody) {
            say("Warning: \(Self.failed(forEverybody))")
        }
        // At once, or whoever comes in between has the one start the other again.
        let there = Self.systemUnits.filter {
            FileSystem.exists("\(root)\(Self.systemFolder)/\($0)")
        }
        let words = ["disable", "--now"] + there
        guard try there.isEmpty || systemctl(words) else { throw Self.failed(words) }
    }

    /// - Returns: Whether it was there.
    private func remove(_ path: String) throws -> Bool {
        do throws(PlatformError) { try FileSystem.remove(path) } catch {
            guard [.notFound, .notADirectory].contains(error.code) else {
                throw CommandError("\(path) cannot be removed; are you root?")
            }
            return false
        }
        return true
    }

    /// Those that count: no comments.
    private func pamLines() -> [PAMLine] {
        let folder = root + "/etc/pam.d"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.sorted().flatMap { name -> [PAMLine] in
            let path = "\(folder)/\(name)"
            let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
            return text.split(whereSeparator: \.isNewline)
                .map { $0.trimmingCharacters(in: .whitespaces) }
                .filter { !$0.hasPrefix("#") && Self.asksAgent($0) }
                .map { PAMLine(path: path, text: $0) }
        }
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
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["systemctl"] + words
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}
