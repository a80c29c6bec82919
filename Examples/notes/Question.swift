// SPDX-License-Identifier: Apache-2.0
import Foundation
import GatehouseClient

#if canImport(Glibc)
    import Glibc
#endif

/// Asks at the terminal; what is typed is not shown.
enum Question {
    struct NoAnswer: Error {}

    /// Asks until the PIN is taken.
    static func pin(_ question: String, _ take: (consuming PIN) throws -> Void) throws {
        while true {
            NotesApp.tell("\(question): ")
            guard let typed = hidden({ readLine() }) else { throw NoAnswer() }
            do {
                try take(try PIN(typed))
                return
            } catch let error as IdentityError where error.domain == .pinValidation {
                NotesApp.tell(error.reason)
            }
        }
    }

    private static func hidden(_ read: () -> String?) -> String? {
        var before = termios()
        guard tcgetattr(STDIN_FILENO, &before) == 0 else { return read() }
        var silent = before
        silent.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent)
        defer { tcsetattr(STDIN_FILENO, TCSAFLUSH, &before) }
        return read()
    }
}
