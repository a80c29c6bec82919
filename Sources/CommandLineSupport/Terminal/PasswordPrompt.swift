// SPDX-License-Identifier: Apache-2.0
import Platform
package import Primitives
import TerminalDialog

/// Asks for a password at the terminal.
package enum PasswordPrompt {
    /// `nil` when there is no terminal, or the person gives up.
    package static func ask(_ username: String) async -> Secret? {
        guard let dialog = dialog("Sign in as \(TerminalText.safe(username)).") else { return nil }
        await dialog.open()
        let password = try? await dialog.secret("Password:")
        await dialog.close()
        return password
    }

    /// A new password, entered twice. `nil` when there is no terminal, or the person gives up.
    ///
    /// - Throws: ``CommandError`` when the two differ.
    package static func choose(_ username: String) async throws -> Secret? {
        guard let dialog = dialog("A new password for \(TerminalText.safe(username)).") else {
            return nil
        }
        await dialog.open()
        let both = try? await (
            dialog.secret("New password:"), dialog.secret("The same again:")
        )
        await dialog.close()
        return try both.map(same)
    }

    package static func same(_ first: Secret, _ second: Secret) throws -> Secret {
        guard first.reveal() == second.reveal() else {
            throw CommandError("the two passwords differ; nothing was changed", code: .badInput)
        }
        return first
    }

    private static func dialog(_ subject: String) -> TerminalDialog? {
        guard let terminal = try? ControllingTerminal() else { return nil }
        return TerminalDialog(
            title: "Password", subject: [subject], device: terminal,
            style: TerminalStyle(environment: ProcessEnvironment.all))
    }
}
