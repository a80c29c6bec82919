// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support

/// A program in a separate terminal that a test types into and reads. The terminal is tmux with a
/// separate socket.
final class TerminalSession: Sendable {
    private let socket = "gatehouse-test-\(UUID().uuidString.prefix(8))"
    private let folder: TemporaryDirectory
    private static let tmux = Repository.path(of: "tmux")

    static var isAvailable: Bool { tmux != nil }

    init(
        _ program: URL, _ arguments: [String], columns: Int = 80, rows: Int = 24,
        environment: [String: String] = [:]
    ) async throws {
        folder = try TemporaryDirectory()
        let words = ([program.path()] + arguments).map { "'\($0)'" }.joined(separator: " ")
        let variables = environment.merging(["LC_ALL": "C.UTF-8"]) { mine, _ in mine }
            .map { "export \($0.key)='\($0.value)'" }.joined(separator: "\n")
        let status = folder.file("status").path()
        // Only the test decides about colours, whatever the machine that runs it prefers. The
        // shell says how the program ended, and keeps the screen to be looked at; a Ctrl-C is the
        // program's.
        try folder.write(
            """
            trap : INT
            unset NO_COLOR CLICOLOR
            \(variables)
            \(words)
            echo $? > \(status).draft && mv \(status).draft \(status)
            exec sleep 600
            """, to: "run.sh")
        try folder.write("set -g status off\n", to: "tmux.conf")
        _ = try await tmux([
            "-f", folder.file("tmux.conf").path(), "new-session", "-d", "-x", "\(columns)", "-y",
            "\(rows)", "sh \(folder.file("run.sh").path())",
        ])
    }

    deinit {
        let process = Process()
        process.executableURL = Self.tmux
        process.arguments = ["-L", socket, "kill-server"]
        process.standardError = FileHandle.nullDevice
        try? process.run()
        process.waitUntilExit()
    }

    private func tmux(_ arguments: [String]) async throws -> String {
        guard let program = Self.tmux else { throw HarnessError("tmux is not installed") }
        let outcome = try await Command.run(
            program, ["-u", "-L", socket] + arguments, environment: ["LC_ALL": "C.UTF-8"])
        guard outcome.status == 0 else { throw HarnessError("tmux: \(outcome.errors)") }
        return outcome.output
    }

    func type(_ text: String) async throws { _ = try await tmux(["send-keys", "-l", text]) }

    /// A key by tmux's name: `Enter`, `Escape`, `C-c`, `Down`.
    func press(_ key: String) async throws { _ = try await tmux(["send-keys", key]) }

    /// Closes the terminal, as a person who closes its window.
    func close() async throws { _ = try await tmux(["kill-server"]) }

    /// What is on the screen now.
    func screen() async throws -> String { try await tmux(["capture-pane", "-p"]) }

    /// The same with its colours as escape sequences.
    func colouredScreen() async throws -> String { try await tmux(["capture-pane", "-p", "-e"]) }

    /// Waits until the text is on the screen.
    @discardableResult
    func shows(_ text: String) async throws -> String {
        try await eventually("the terminal shows \(text)", within: .seconds(30)) {
            let screen = try await screen()
            if screen.contains(text) { return screen }
            if let status = ended() {
                throw HarnessError("the program ended with \(status):\n\(screen)")
            }
            return nil
        }
    }

    private func ended() -> Int32? {
        let text = try? String(contentsOf: folder.file("status"), encoding: .utf8)
        return text.flatMap { Int32($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
    }

    /// Waits for the end of the program; its exit status.
    func status() async throws -> Int32 {
        try await eventually("the program in the terminal ends", within: .seconds(60)) {
            ended()
        }
    }
}
