// SPDX-License-Identifier: Apache-2.0
import CommandLineSupport
import Foundation
import Platform

/// A notification of the desktop (org.freedesktop.Notifications), through whichever of two tools is
/// here and does it: libnotify's `notify-send`, or systemd's `busctl`.
///
/// The next one takes the place of the one before, so that a desktop which nobody looks at does not
/// fill with them. Its number is good at the service that gave it: after a restart the same one may be another
/// program's.
struct DesktopNotification: Sendable {
    enum Outcome: Equatable, Sendable {
        case shown
        /// There is no session bus: nobody sits at a desktop.
        case noDesktop
        case noTool
        /// The bus or the desktop did not take it.
        case refused
    }

    /// Where it is found out what there is.
    var environment: [String: String] = ProcessEnvironment.all
    /// Runs a program to its end: what it printed, or `nil` when it failed.
    var run: @Sendable (String, [String]) async -> String? = Self.output
    /// Waits before it is tried again.
    var pause: @Sendable () async -> Void = { try? await Task.sleep(for: .seconds(2)) }

    private static let tools = ["notify-send", "busctl"]
    /// While a session begins its notification service may come after us.
    private static let tries = 4
    private static let icon = "dialog-information"

    func show(_ summary: String, _ body: String) async -> Outcome {
        guard hasBus else { return .noDesktop }
        let tools = Self.tools.compactMap(path)
        guard !tools.isEmpty else { return .noTool }
        for round in 1...Self.tries {
            let last = await last(of: owner)
            // An old notify-send does not know all of its options.
            for tool in tools {
                let words = Self.words(tool, summary, body, replacing: last)
                guard let output = await run(tool, words) else { continue }
                keep(output, of: await owner)
                return .shown
            }
            if round < Self.tries { await pause() }
        }
        return .refused
    }

    static func words(
        _ tool: String, _ summary: String, _ body: String, replacing last: UInt32
    ) -> [String] {
        guard tool.hasSuffix("busctl") else {
            return [
                "--app-name=Gatehouse", "--icon=\(icon)", "--print-id", "--replace-id=\(last)",
                "--", summary, body,
            ]
        }
        return [
            "--user", "--timeout=5", "call", "org.freedesktop.Notifications",
            "/org/freedesktop/Notifications", "org.freedesktop.Notifications", "Notify",
            "susssasa{sv}i", "Gatehouse", "\(last)", icon, summary, body, "0", "0", "--", "-1",
        ]
    }

    // MARK: What there is

    private func value(_ name: String) -> String? {
        environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    private var hasBus: Bool {
        if value("DBUS_SESSION_BUS_ADDRESS") != nil { return true }
        return value("XDG_RUNTIME_DIR").map { FileCalls.exists("\($0)/bus") } ?? false
    }

    private func path(of tool: String) -> String? {
        (value("PATH") ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
            .map { "\($0)/\(tool)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    // MARK: The one before

    private var file: String? { value("XDG_RUNTIME_DIR").map { "\($0)/gatehouse-notice" } }

    /// 0 where there was none, or where nobody can tell whose it is.
    private func last(of owner: String?) -> UInt32 {
        let text = file.flatMap { try? String(contentsOfFile: $0, encoding: .utf8) }
        let words = (text ?? "").split { $0.isWhitespace }
        guard let owner, words.count == 2, words[1] == owner else { return 0 }
        return Self.number(String(words[0])) ?? 0
    }

    /// Which service shows notifications now, by a name that no other on this bus ever gets (D-Bus
    /// Specification, "Message Bus Names"). Without systemd's tool nobody tells, nor is there its timer,
    /// which would fill the desktop.
    private var owner: String? {
        get async {
            guard let tool = path(of: "busctl") else { return nil }
            let answer = await run(
                tool,
                [
                    "--user", "--timeout=5", "call", "org.freedesktop.DBus",
                    "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetNameOwner", "s",
                    "org.freedesktop.Notifications",
                ])
            // `s ":1.42"`
            return answer?.split(separator: "\"").dropFirst().first.map(String.init)
        }
    }

    /// Both print it: `7`, and `u 7`.
    private static func number(_ text: String) -> UInt32? {
        text.split { !("0"..."9").contains($0) }.last.flatMap { UInt32($0) }
    }

    private func keep(_ output: String, of owner: String?) {
        guard let file, let owner, let number = Self.number(output) else { return }
        try? DurableFile.replace(file, with: Array("\(number) \(owner)\n".utf8))
    }

    // MARK: Processes

    private static func output(_ program: String, _ words: [String]) async -> String? {
        try? await BlockingCall.run {
            let process = Process()
            let pipe = Pipe()
            process.executableURL = URL(filePath: program)
            process.arguments = words
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = pipe
            process.standardError = FileHandle.nullDevice
            try process.run()
            let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            guard process.terminationStatus == 0 else { throw CommandError("\(program) failed") }
            return String(decoding: data, as: UTF8.self)
        }
    }
}
