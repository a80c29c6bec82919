// SPDX-License-Identifier: Apache-2.0
import Foundation
import Platform
import TerminalDialog

/// Asks before something is taken away for good, by its name.
package enum DataLossConfirmation {
    /// - Parameters:
    ///   - loss: what will be gone, as a sentence.
    ///   - isAgreed: `--yes`: nobody is asked.
    /// - Throws: ``CommandError`` when there is no terminal to ask at, or the person says no.
    package static func ask(_ loss: String, isAgreed: Bool) async throws {
        guard !isAgreed else { return }
        guard let terminal = try? ControllingTerminal() else {
            throw CommandError(
                "\(loss) Without a terminal to ask at, say --yes.", code: .badInput)
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
