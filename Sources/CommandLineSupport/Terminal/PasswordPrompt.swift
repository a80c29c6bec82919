// SPDX-License-Identifier: Apache-2.0
import Platform
package import Primitives
package import TerminalDialog

/// Asks for a password or a passphrase at the terminal, without displaying it.
package struct PasswordPrompt: Sendable {
    /// What is asked for.
    package enum Kind: String, Sendable {
        case password, passphrase

        fileprivate var title: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }
    }

    /// The terminal of a prompt; `nil` if there is none.
    package typealias Device = @Sendable () -> (any TerminalDevice)?

    private let kind: Kind
    private let subject: String
    private let device: Device

    /// - Parameter subject: What the password is for, as a sentence.
    package init(_ kind: Kind, _ subject: String, at device: @escaping Device = controllingTerminal)
    {
        (self.kind, self.subject, self.device) = (kind, subject, device)
    }

    package static let controllingTerminal: Device = { try? ControllingTerminal() }

    /// The password of a person who signs in.
    package static func signIn(_ username: String) -> PasswordPrompt {
        PasswordPrompt(.password, "Sign in as \(TerminalText.safe(username)).")
    }

    /// A new password of a person.
    package static func new(of username: String) -> PasswordPrompt {
        PasswordPrompt(.password, "A new password for \(TerminalText.safe(username)).")
    }

    /// Asks once. `nil` if there is no terminal, or the person gives up.
    package func ask() async -> Secret? {
        guard let dialog else { return nil }
        await dialog.open()
        let password = try? await dialog.secret("\(kind.title):")
        await dialog.close()
        return password
    }

    /// Asks for a new one twice. `nil` if there is no terminal, or the person gives up.
    ///
    /// - Parameter check: Throws if the first entry is not acceptable. Then it is not asked again.
    /// - Throws: The error of `check`, or ``CommandError`` if the two differ.
    package func choose(
        _ check: (Secret) throws -> Void = { _ in }
    ) async throws -> Secret? {
        guard let dialog else { return nil }
        await dialog.open()
        do {
            let chosen = try await chosen(by: dialog, check)
            await dialog.close()
            return chosen
        } catch {
            await dialog.close()
            guard error is TerminalDialog.Cancelled else { throw error }
            return nil
        }
    }

    private func chosen(
        by dialog: TerminalDialog, _ check: (Secret) throws -> Void
    ) async throws -> Secret {
        let first = try await dialog.secret("New \(kind.rawValue):")
        try check(first)
        guard try await dialog.secret("The same again:") == first else {
            throw CommandError(
                "the two \(kind.rawValue)s differ; nothing was changed", code: .badInput)
        }
        return first
    }

    private var dialog: TerminalDialog? {
        device().map {
            TerminalDialog(
                title: kind.title, subject: [subject], device: $0,
                style: TerminalStyle(environment: ProcessEnvironment.all))
        }
    }
}
