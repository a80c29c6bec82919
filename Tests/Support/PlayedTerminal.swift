// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TerminalDialog

/// A terminal that a test types at and reads.
package final class PlayedTerminal: TerminalDevice {
    private struct Screen {
        var text = ""
        var closings = 0
        var waiting: [(text: String, waiter: CheckedContinuation<Void, Never>)] = []
    }

    package let input: AsyncStream<[UInt8]>
    package let columns: Int
    private let keyboard: AsyncStream<[UInt8]>.Continuation
    private let screen = Mutex(Screen())

    package init(columns: Int = 80) {
        self.columns = columns
        (input, keyboard) = AsyncStream.makeStream()
    }

    package var text: String { screen.withLock { $0.text } }
    package var closed: Int { screen.withLock { $0.closings } }

    package func type(_ text: String) { keyboard.yield(Array(text.utf8)) }
    package func hangUp() { keyboard.finish() }

    /// Waits until the text was written.
    package func shows(_ text: String) async {
        await withCheckedContinuation { waiter in
            let isThere = screen.withLock { screen in
                if screen.text.contains(text) { return true }
                screen.waiting.append((text, waiter))
                return false
            }
            if isThere { waiter.resume() }
        }
    }

    package func write(_ text: String) {
        screen.withLock { screen in
            screen.text += text
            for (_, waiter) in screen.waiting.filter({ screen.text.contains($0.text) }) {
                waiter.resume()
            }
            screen.waiting.removeAll { screen.text.contains($0.text) }
        }
    }

    package func close() {
        screen.withLock { $0.closings += 1 }
        keyboard.finish()
    }
}
