// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser
import Platform
import TerminalDialog

/// How a program runs its command line, and ends: the exit codes and the last words of it.
package enum CommandExit {
    /// Runs the command that the arguments name, as the library does, but with the exit codes that scripts
    /// rely on.
    ///
    /// - Parameter program: The command that has all others below it.
    package static func run(_ program: any ParsableCommand.Type) async {
        do {
            var command = try program.parseAsRoot()
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch {
            end(with: error, of: program)
        }
    }

    private static func end(
        with error: any Error, of program: any ParsableCommand.Type
    ) -> Never {
        let (code, text) = outcome(of: error, in: program)
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

    /// The exit code of an error, and what the program prints before it ends.
    package static func outcome(
        of error: any Error, in program: any ParsableCommand.Type
    ) -> (code: Int32, text: String) {
        let name = program._commandName
        switch error {
        case let error as CommandError: return (error.code.rawValue, "\(name): \(error)")
        case let error as any InputError: return (2, "\(name): \(error)")
        case let code as ExitCode: return (code.rawValue, "")
        default: break
        }
        // Help, version and completion scripts come as errors too; they succeed.
        let code = program.exitCode(for: error)
        if code == .success { return (0, program.fullMessage(for: error)) }
        let isUsage = code == .validationFailure
        return (isUsage ? 2 : 1, isUsage ? program.fullMessage(for: error) : "\(name): \(error)")
    }
}

/// An error of what the person gave: a file or an argument.
package protocol InputError: Error {}
