// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TerminalDialog
import Testing

@testable import gatehouse

@Suite struct TourScreenTests {
    private final class Lines: Sendable {
        let all = Mutex<[String]>([])
    }

    @Test("No line is wider than the terminal, whatever is told", arguments: [30, 40, 78])
    func fits(_ width: Int) async {
        let lines = Lines()
        let screen = TourScreen(
            style: TerminalStyle(environment: ["NO_COLOR": "1", "LC_ALL": "C.UTF-8"]),
            waits: false, width: width, write: { line in lines.all.withLock { $0.append(line) } })
        screen.title("gatehouse tour")
        await screen.chapter(6, "Anna opens a second app, with her key in the machine")
        screen.say("Tasks has never seen Anna. It asks for a passkey, and asks nobody's name.")
        screen.sent(
            "POST /registration/passkeys/sign-in", "challenge: \(String(repeating: "a", count: 90))"
        )
        screen.received(200, "ceremony: abcdefghijkl… (43 letters), publicKey: {rpId: localhost}")
        screen.lost()
        screen.proves("The same person, by the same identifier: the key said who she is.")
        screen.end("The provider is stopped, and all that it kept is gone.")
        let written = lines.all.withLock { $0 }
        #expect(written.count > 12)
        for line in written { #expect(TerminalText.width(of: line) <= width, "\(line)") }
    }
}
