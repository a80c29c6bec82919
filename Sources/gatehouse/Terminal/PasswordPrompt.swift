// SPDX-License-Identifier: Apache-2.0
import Foundation
import Platform
import Primitives
import TerminalDialog

/// Asks for a password at the terminal.
enum PasswordPrompt {
    /// `nil` when there is no terminal, or the person gives up.
    static func ask(_ username: String) async -> Secret? {
        guard let terminal = try? ControllingTerminal() else { return nil }
        let dialog = TerminalDialog(
            title: "Password", subject: ["Sign in as \(TerminalText.safe(username))."],
            device: terminal,
            style: TerminalStyle(environment: ProcessEnvironment.all))
        await dialog.open()
        let password = try? await dialog.secret("Password:")
        await dialog.close()
        return password
    }
}
