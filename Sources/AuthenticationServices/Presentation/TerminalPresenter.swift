// SPDX-License-Identifier: Apache-2.0
import Primitives
package import TerminalDialog

/// Shows authorizations in the terminal that controls the process, even when input and output go
/// elsewhere. Esc and Ctrl-C cancel at any time.
public actor TerminalPresenter: AuthorizationPresenter {
    private let open: @Sendable () throws -> any TerminalDevice
    private let style: TerminalStyle
    private var dialog: TerminalDialog?

    /// The terminal that controls this process.
    public init() {
        self.init(style: TerminalStyle(environment: ProcessInfo.processInfo.environment)) {
            try ControllingTerminal()
        }
    }

    package init(
        style: TerminalStyle, open: @escaping @Sendable () throws -> any TerminalDevice
    ) {
        self.style = style
        self.open = open
    }

    /// Displays the caller and the purpose.
    public func begin(
        _ sheet: AuthorizationSheet, cancel: @escaping @Sendable () -> Void
    ) async throws {
        let dialog = TerminalDialog(
            title: sheet.usesSecurityKey ? "Security key" : "Passkey", subject: [sheet.sentence],
            device: try open(), style: style, onCancel: cancel)
        self.dialog = dialog
        await dialog.open()
    }

    /// Displays an instruction to the person.
    public func show(_ notice: AuthorizationInstruction) async {
        await dialog?.notice(notice.text)
    }

    /// Prompts for a PIN; for a new one twice.
    public func enterPIN(_ question: AuthorizationPINPrompt) async -> String? {
        guard let dialog else { return nil }
        if !question.isNew {
            return try? await dialog.secret("PIN of \(question.key):", problem: question.problem)
                .revealText()
        }
        var problem = question.problem
        while let first = try? await dialog.secret(
            "New PIN, at least \(question.minimumLength) characters:", problem: problem)
        {
            guard let second = try? await dialog.secret("The same again:") else { return nil }
            if first == second { return first.revealText() }
            problem = "The two were not the same."
        }
        return nil
    }

    /// Prompts for a choice.
    public func choose(_ question: String, from choices: [String]) async -> Int? {
        try? await dialog?.choice(question, choices)
    }

    /// Leaves one line with the result.
    public func end(_ outcome: AuthorizationOutcome) async {
        switch outcome {
        case .succeeded(.registration): await dialog?.close("Registered.")
        case .succeeded(.signIn): await dialog?.close("Confirmed.")
        case .canceled: await dialog?.close("Cancelled.", isGood: false)
        case .failed(let reason): await dialog?.close(reason, isGood: false)
        }
        dialog = nil
    }
}

extension AuthorizationSheet {
    fileprivate var sentence: String {
        switch purpose {
        case .signIn: return "Sign in at \(relyingParty)."
        case .registration(let account, let person):
            let who = person.map { $0.isEmpty ? account : "\($0) (\(account))" } ?? account
            let what = usesSecurityKey ? "a security key" : "a passkey"
            return "Register \(what) at \(relyingParty) for \(who)."
        }
    }
}
