// SPDX-License-Identifier: Apache-2.0
import CommandLineSupport
import Synchronization
import TerminalDialog
import Testing

@testable import gatehouse

@Suite struct TourScreenTests {
    private final class Lines: Sendable {
        let all = Mutex<[String]>([])
    }

    @Test("No line is wider than the terminal, whatever is told", arguments: [30, 40, 78])
    func fits(_ width: Int) async throws {
        let lines = Lines()
        let screen = TourScreen(
            style: TerminalStyle(environment: ["NO_COLOR": "1", "LC_ALL": "C.UTF-8"]),
            waits: false, width: width, write: { line in lines.all.withLock { $0.append(line) } })
        screen.title("gatehouse tour")
        try await screen.chapter(6, "Anna opens a second app, with her key in the machine")
        screen.explain("Tasks does not know Anna. It requests a passkey, without a username.")
        screen.sent(
            "POST /registration/passkeys/sign-in", "challenge: \(String(repeating: "a", count: 90))"
        )
        screen.received(200, "ceremony: abcdefghijkl… (43 bytes), publicKey: {rpId: localhost}")
        screen.lost()
        screen.command(["notes", "register", "--person", "anna", "--issuer-key", "service.pem"])
        screen.printed("Registered as anna (01890a5d-ac96-774b-bcce-b302099a8057).")
        screen.printed("PIN of anna, 4 attempts left: ", typed: "24681", isHidden: true)
        screen.proves("The same person with the same identifier: the key sent it.")
        screen.end("The provider is stopped, and its data are deleted.")
        let written = lines.all.withLock { $0 }
        #expect(written.count > 12)
        for line in written { #expect(TerminalText.width(of: line) <= width, "\(line)") }
        #expect(!written.contains { $0.contains("24681") })
    }

    @Test("Without UTF-8 everything of our own is ASCII")
    func ascii() async throws {
        let lines = Lines()
        let screen = TourScreen(
            style: TerminalStyle(hasColours: false, hasUnicode: false), waits: false,
            write: { line in lines.all.withLock { $0.append(line) } })
        screen.title("gatehouse tour")
        screen.sent("POST /token", TourMessage.shown(Array("assertion=\(Self.long)".utf8)))
        screen.received(200, TourMessage.shown(Array(Self.long.utf8)))
        screen.lost()
        screen.printed("Password: ", typed: "secret", isHidden: true)
        screen.proves("It is so.")
        screen.end("That is all.")
        let written = lines.all.withLock { $0 }
        #expect(written.allSatisfy { $0.allSatisfy(\.isASCII) })
    }

    private static let long = String(repeating: "a1B", count: 40)

    @Test("A command can be copied: it is broken between words, and each line but the last goes on")
    func command() {
        let lines = Lines()
        let screen = TourScreen(
            style: TerminalStyle(hasColours: false, hasUnicode: true), waits: false, width: 30,
            write: { line in lines.all.withLock { $0.append(line) } })
        let words = [
            "gatehouse", "platform-sso", "profile", "--issuer", "http://localhost:41234/a/b",
        ]
        screen.command(words)
        let written = lines.all.withLock { $0 }.filter { !$0.isEmpty }
        #expect(written.first?.hasPrefix("   $ gatehouse ") == true)
        #expect(written.dropLast().allSatisfy { $0.hasSuffix(" \\") })
        let copied = written.map { $0.dropFirst(5).replacing("\\", with: "") }
            .joined(separator: " ").split(separator: " ").map(String.init)
        #expect(copied == words)
    }
}
