// SPDX-License-Identifier: Apache-2.0
import CommandLineSupport
import Platform

/// A notification of the desktop (org.freedesktop.Notifications), sent with libnotify's
/// `notify-send` or systemd's `busctl`, whichever works.
///
/// A notification replaces the previous one, so that they do not accumulate on an unattended
/// desktop. The id of a notification is valid only for the service that issued it. After a restart
/// of the service, the same id can belong to another program.
struct DesktopNotification: Sendable {
    enum Outcome: Equatable, Sendable {
        case shown
        /// There is no session bus, and therefore no desktop.
        case noDesktop
        case noTool
        /// The bus or the desktop refused it.
        case refused
    }

    /// The environment in which the tools and the bus are looked up.
    var environment: [String: String] = ProcessEnvironment.all
    /// Runs a program and returns its output, or `nil` if it failed.
    var run: @Sendable (String, [String]) async -> String? = Self.output
    /// Waits before the next attempt.
    var pause: @Sendable () async -> Void = { try? await Task.sleep(for: .seconds(2)) }

    private static let tools = ["notify-send", "busctl"]
    /// At the start of a session the notification service may start later than this command.
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
                saveNumber(output, of: await owner)
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
            .first(where: FileSystem.isExecutable)
    }

    // MARK: The one before

    private var file: String? { value("XDG_RUNTIME_DIR").map { "\($0)/gatehouse-notice" } }

    /// Returns the id of the previous notification, or 0 if there is none of this service.
    private func last(of owner: String?) -> UInt32 {
        let bytes = file.flatMap { try? FileSystem.read($0, limit: 1024) } ?? []
        let words = String(decoding: bytes, as: UTF8.self).split { $0.isWhitespace }
        guard let owner, words.count == 2, words[1] == owner else { return 0 }
        return Self.number(String(words[0])) ?? 0
    }

    /// The unique name of the service that displays notifications. A bus never reuses such a name
    /// (D-Bus Specification, "Message Bus Names"). It is `nil` without `busctl`. Without systemd
    /// there is also no timer that could fill the desktop.
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

    /// Reads an id from the output of either tool: `7` or `u 7`.
    private static func number(_ text: String) -> UInt32? {
        text.split { !("0"..."9").contains($0) }.last.flatMap { UInt32($0) }
    }

    private func saveNumber(_ output: String, of owner: String?) {
        guard let file, let owner, let number = Self.number(output) else { return }
        try? DurableFile.replace(file, with: Array("\(number) \(owner)\n".utf8))
    }

    // MARK: Processes

    private static func output(_ program: String, _ words: [String]) async -> String? {
        try? await BlockingCall.run {
            let (code, output) = try Subprocess.output(of: program, words, limit: 65_536)
            guard code == 0 else { throw CommandError("\(program) failed") }
            return String(decoding: output, as: UTF8.self)
        }
    }
}
