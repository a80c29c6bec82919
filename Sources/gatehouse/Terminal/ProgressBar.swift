// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// A bar on standard error for what takes longer than two seconds; nothing in a pipe.
final class ProgressBar: Sendable {
    private struct State {
        var isDrawn = false
        var percent = -1
    }

    private let label: String
    private let start = ContinuousClock.now
    private let state = Mutex(State())
    private static let width = 30

    init(_ label: String) { self.label = label }

    /// - Parameter fraction: 0 to 1.
    func show(_ fraction: Double) {
        guard StandardError.isTerminal, ContinuousClock.now - start > .seconds(2) else { return }
        let percent = Int(min(max(fraction, 0), 1) * 100)
        state.withLock { state in
            guard percent != state.percent else { return }
            state.percent = percent
            state.isDrawn = true
            let filled = percent * Self.width / 100
            let bar =
                String(repeating: "█", count: filled)
                + String(repeating: "░", count: Self.width - filled)
            StandardError.write("\r\(label) \(bar) \(percent) %")
        }
    }

    /// Takes the bar away.
    func finish() {
        state.withLock { if $0.isDrawn { StandardError.write("\r\u{1B}[2K") } }
    }
}
