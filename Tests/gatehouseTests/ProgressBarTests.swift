// SPDX-License-Identifier: Apache-2.0
import CommandLineSupport
import Synchronization
import Testing

@testable import gatehouse

@Suite struct ProgressBarTests {
    /// What was drawn, and the time that the test says it is.
    private final class Screen: Sendable {
        let lines = Mutex<[String]>([])
        let seconds = Mutex(0.0)

        func terminal(_ isTerminal: Bool = true) -> ProgressBar.Terminal {
            .init(
                isTerminal: isTerminal,
                elapsed: { .seconds(self.seconds.withLock { $0 }) },
                write: { line in self.lines.withLock { $0.append(line) } })
        }

        func set(_ time: Double) { seconds.withLock { $0 = time } }

        var drawn: [String] { lines.withLock { $0 } }
    }

    private let screen = Screen()

    @Test("What takes less than two seconds shows nothing")
    func short() {
        let bar = ProgressBar("backup", on: screen.terminal())
        screen.set(1.9)
        bar.show(0.5)
        bar.showWaiting()
        bar.finish()
        #expect(screen.drawn.isEmpty)
    }

    @Test("In a pipe nothing is shown, however long it takes")
    func pipe() {
        let bar = ProgressBar("backup", on: screen.terminal(false))
        screen.set(100)
        bar.show(0.5)
        bar.showWaiting()
        bar.finish()
        #expect(screen.drawn.isEmpty)
    }

    @Test("A bar is drawn once for each step, and taken away at the end, once")
    func long() {
        let bar = ProgressBar("backup", on: screen.terminal())
        screen.set(3)
        for fraction in [0.5, 0.501, 2, -1] { bar.show(fraction) }
        bar.finish()
        bar.finish()
        let drawn = screen.drawn
        #expect(drawn.count == 4)
        #expect(drawn.first?.hasSuffix(" 50 %") == true && drawn.last == "\r\u{1B}[2K")
        #expect(drawn[1].hasSuffix(" 100 %") && drawn[2].hasSuffix(" 0 %"))
    }

    @Test("Who does not know how far it is says since when")
    func unknown() {
        let bar = ProgressBar("verify", on: screen.terminal())
        screen.set(75)
        bar.showWaiting()
        #expect(screen.drawn.first?.hasPrefix("\rverify ") == true)
        #expect(screen.drawn.first?.hasSuffix(" 75 s") == true)
    }

    @Test("What is waited for gives its answer, or its error")
    func waiting() async throws {
        #expect(await ProgressBar.waiting("x") { 5 } == 5)
        await #expect(throws: CommandError("no")) {
            try await ProgressBar.waiting("x") { throw CommandError("no") }
        }
    }
}
