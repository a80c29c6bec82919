// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Platform
import Server
import TerminalDialog

/// The end of a command that did not end by itself.
enum CommandExit {
    static func end(with error: any Error) -> Never {
        let (code, text) = outcome(of: error)
        if !text.isEmpty {
            let columns = StandardError.isTerminal ? StandardError.columns : .max
            if code == 0 { print(text) } else { StandardError.print(rows(text, columns: columns)) }
        }
        CurrentProcess.exit(code)
    }

    /// Sentences that are wider than the terminal, broken between words. What is indented is laid out
    /// already, and an address that does not fit is left to the terminal, so that it can be copied.
    static func rows(_ text: String, columns: Int) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            let words = line.split(separator: " ")
            guard TerminalText.width(of: line) > columns, !line.hasPrefix(" "),
                words.allSatisfy({ TerminalText.width(of: $0) <= columns })
            else { return String(line) }
            return TerminalText.wrap(String(line), width: columns).joined(separator: "\n")
        }.joined(separator: "\n")
    }

    static func outcome(of error: any Error) -> (code: Int32, text: String) {
        switch error {
        case let error as CommandError: return (error.code.rawValue, "gatehouse: \(error)")
        case let error as ConfigurationError: return (2, "gatehouse: \(error)")
        case let error as ListenError: return (1, "gatehouse: \(error)")
        case let code as ExitCode: return (code.rawValue, "")
        default: break
        }
        // Help, version and completion scripts come as errors too; they succeed.
        let code = Gatehouse.exitCode(for: error)
        if code == .success { return (0, Gatehouse.fullMessage(for: error)) }
        let isUsage = code == .validationFailure
        return (
            isUsage ? 2 : 1, isUsage ? Gatehouse.fullMessage(for: error) : "gatehouse: \(error)"
        )
    }
}
