// SPDX-License-Identifier: Apache-2.0
import CTAP
import Platform
import TerminalDialog

/// The touch of a software key: a question at the terminal.
enum TouchPrompt {
    static func ask(_ prompt: GesturePrompt) async -> GestureOutcome {
        guard let terminal = try? ControllingTerminal() else { return .denied }
        let dialog = TerminalDialog(
            title: "Software key", subject: [TerminalText.safe(prompt.sentence) + "."],
            device: terminal,
            style: TerminalStyle(environment: ProcessEnvironment.all))
        await dialog.open()
        let answer = try? await dialog.choice("Do you allow it?", ["No", "Yes, touch the key"])
        await dialog.close()
        return answer == 1 ? .approved : .denied
    }
}
