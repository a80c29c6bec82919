// SPDX-License-Identifier: Apache-2.0
import Platform
import TerminalDialog

/// Asks for confirmation before data is deleted.
package enum DataLossConfirmation {
    /// - Parameters:
    ///   - loss: What is lost, as a sentence.
    ///   - isAgreed: Whether `--yes` was given, which skips the question.
    /// - Throws: ``CommandError`` if there is no terminal, or if the person declines.
    package static func ask(_ loss: String, isAgreed: Bool) async throws {
        guard !isAgreed else { return }
        guard let terminal = try? ControllingTerminal() else {
            throw CommandError(
                "\(loss) Without a terminal, use --yes.", code: .badInput)
        }
        let dialog = TerminalDialog(
            title: "Are you sure?", subject: [loss], device: terminal,
            style: TerminalStyle(environment: ProcessEnvironment.all))
        await dialog.open()
        let answer = try? await dialog.choice(
            "Go on?", ["No, change nothing", "Yes, go on"])
        await dialog.close()
        guard answer == 1 else { throw CommandError("given up; nothing was changed") }
    }
}
