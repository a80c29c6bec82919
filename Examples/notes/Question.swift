// SPDX-License-Identifier: Apache-2.0
import Foundation
import GatehouseClient

/// Asks at the terminal; what is typed is not shown.
enum Question {
    struct NoAnswer: Error {}

    /// Asks until the PIN is taken.
    static func pin(_ question: String, _ take: (consuming PIN) throws -> Void) throws {
        while true {
            guard let typed = hidden("\(question): ") else { throw NoAnswer() }
            do {
                try take(try PIN(typed))
                return
            } catch let error as IdentityError where error.domain == .pinValidation {
                NotesApp.tell(error.reason)
            }
        }
    }

    /// Asks when nothing that is typed shows any more; what was typed before is no answer.
    private static func hidden(_ question: String) -> String? {
        var before = termios()
        let isTerminal = tcgetattr(STDIN_FILENO, &before) == 0
        var silent = before
        silent.c_lflag &= ~tcflag_t(ECHO)
        if isTerminal { tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent) }
        defer { if isTerminal { tcsetattr(STDIN_FILENO, TCSAFLUSH, &before) } }
        NotesApp.tell(question)
        return readLine()
    }
}
