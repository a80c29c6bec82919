// SPDX-License-Identifier: Apache-2.0
import AuthenticationServices
import Foundation
import Synchronization
import TerminalDialog
import Testing

@MainActor @Suite(.timeLimit(.minutes(5))) struct TerminalPresenterTests {
    /// A terminal at which everything is typed as soon as it is asked for.
    private final class Terminal: TerminalDevice {
        let input: AsyncStream<[UInt8]>
        let columns = 80
        private let keyboard: AsyncStream<[UInt8]>.Continuation
        private let answers: [(prompt: String, keys: String)]
        private let state = Mutex((text: "", answered: 0))

        init(_ answers: [(prompt: String, keys: String)]) {
            self.answers = answers
            (input, keyboard) = AsyncStream.makeStream()
        }

        var text: String { state.withLock { $0.text } }

        func write(_ text: String) {
            let keys: String? = state.withLock { state in
                state.text += text
                guard state.answered < answers.count,
                    text.contains(answers[state.answered].prompt)
                else { return nil }
                state.answered += 1
                return answers[state.answered - 1].keys
            }
            if let keys { keyboard.yield(Array(keys.utf8)) }
        }

        func close() { keyboard.finish() }
    }

    private struct Absent: Error {}

    private func anchor(_ terminal: Terminal?) -> ASPresentationAnchor {
        let style = TerminalStyle(hasColours: false, hasUnicode: true)
        return ASPresentationAnchor(
            presenter: TerminalPresenter(style: style) {
                guard let terminal else { throw Absent() }
                return terminal
            })
    }

    private func perform(
        _ request: ASAuthorizationRequest, _ keys: PlayedKeys, at terminal: Terminal?
    ) async throws -> ASAuthorizationResult {
        try await AuthorizationController(
            presentationAnchor: anchor(terminal), system: Play.system(keys: keys)
        ).performRequest(request)
    }

    @Test("A PIN is made up, typed twice, then asked for; it is never on the screen")
    func pin() async throws {
        let request = Play.registration()
        request.userVerificationPreference = .required
        let terminal = Terminal([
            ("New PIN", "2580\r"), ("The same again", "2581\r"), ("not the same", "2580\r"),
            ("The same again", "2580\r"), ("PIN of", "2580\r"),
        ])
        guard
            case .securityKeyRegistration = try await perform(
                request, try PlayedKeys(), at: terminal)
        else {
            Issue.record("another result")
            return
        }
        #expect(terminal.text.contains("for Anne Johnson"))
        #expect(terminal.text.contains("(annejohnson1@icloud.com)"))
        #expect(terminal.text.contains("✓ Registered."))
        #expect(!terminal.text.contains("2580"))
    }

    @Test("Esc while the key waits for a touch is canceled")
    func escape() async throws {
        let request = Play.registration()
        request.userVerificationPreference = .discouraged
        let terminal = Terminal([("Touch", "\u{1B}")])
        await #expect {
            _ = try await perform(request, try PlayedKeys(isTouched: false), at: terminal)
        } throws: { error in
            if case ASAuthorizationError.canceled = error { true } else { false }
        }
        #expect(terminal.text.contains("Cancelled."))
    }

    @Test("Without a terminal it is notInteractive")
    func absent() async throws {
        await #expect {
            _ = try await perform(Play.assertion(), try PlayedKeys(), at: nil)
        } throws: { error in
            if case ASAuthorizationError.notInteractive = error { true } else { false }
        }
    }

    @Test("What the app says of itself cannot steer the terminal")
    func hostileNames() async throws {
        let request = Play.registration()
        request.name = "a\u{1B}[2Jb\u{202E}c"
        request.displayName = "\u{7}"
        request.userVerificationPreference = .discouraged
        let terminal = Terminal([])
        _ = try await perform(request, try PlayedKeys(), at: terminal)
        #expect(!terminal.text.contains("\u{1B}[2J"))
        #expect(!terminal.text.contains("\u{202E}"))
        #expect(!terminal.text.contains("\u{7}"))
    }
}
