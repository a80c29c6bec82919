// SPDX-License-Identifier: Apache-2.0
import CommandLineSupport
import Synchronization

/// A bar on a terminal for what takes longer than two seconds; nothing in a pipe.
final class ProgressBar: Sendable {
    /// Where the bar is drawn, and by which clock.
    struct Terminal: Sendable {
        var isTerminal: Bool
        /// Since the bar was made.
        var elapsed: @Sendable () -> Duration
        var write: @Sendable (String) -> Void

        /// Standard error.
        static var standard: Terminal {
            let start = ContinuousClock.now
            return Terminal(
                isTerminal: StandardError.isTerminal,
                elapsed: { ContinuousClock.now - start }, write: { StandardError.write($0) })
        }
    }

    private struct State {
        var isDrawn = false
        var text = ""
    }

    private let label: String
    private let terminal: Terminal
    private let state = Mutex(State())
    private static let width = 30
    private static let patience = Duration.seconds(2)

    init(_ label: String, on terminal: Terminal = .standard) {
        self.label = label
        self.terminal = terminal
    }

    /// - Parameter fraction: 0 to 1.
    func show(_ fraction: Double) {
        let percent = Int(min(max(fraction, 0), 1) * 100)
        let filled = percent * Self.width / 100
        draw(
            String(repeating: "█", count: filled)
                + String(repeating: "░", count: Self.width - filled) + " \(percent) %")
    }

    /// For what does not know how far it is: that it goes on, and since when.
    func showWaiting() {
        let seconds = Int(terminal.elapsed().components.seconds)
        let place = seconds % Self.width
        draw(
            String(repeating: "░", count: place) + "█"
                + String(repeating: "░", count: Self.width - 1 - place) + " \(seconds) s")
    }

    private func draw(_ text: String) {
        guard terminal.isTerminal, terminal.elapsed() > Self.patience else { return }
        state.withLock { state in
            guard text != state.text else { return }
            state.text = text
            state.isDrawn = true
            terminal.write("\r\(label) \(text)")
        }
    }

    /// Takes the bar away.
    func finish() {
        state.withLock { state in
            if state.isDrawn { terminal.write("\r\u{1B}[2K") }
            state.isDrawn = false
        }
    }

    /// Shows that `body` goes on, while it does.
    static func waiting<Value>(
        _ label: String, _ body: () async throws -> Value
    ) async rethrows -> Value {
        let bar = ProgressBar(label)
        let ticking = Task {
            while (try? await Task.sleep(for: .milliseconds(500))) != nil { bar.showWaiting() }
        }
        defer {
            ticking.cancel()
            bar.finish()
        }
        return try await body()
    }
}
