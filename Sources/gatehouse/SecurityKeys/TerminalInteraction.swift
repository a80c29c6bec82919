// SPDX-License-Identifier: Apache-2.0
import CTAP
import CommandLineSupport
import Platform
import Primitives
import Synchronization
import TerminalDialog

/// A person at a terminal, before their security key. Without a terminal only what was given
/// beforehand can be answered, and what is to be done is printed.
actor TerminalInteraction: SecurityKeyInteraction {
    private let dialog: TerminalDialog?
    /// The PIN that was given or typed, for all steps of one command; forgotten when it is wrong.
    private var knownPIN: String?
    /// What could not be asked.
    private var unasked: CommandError?

    private init(dialog: TerminalDialog?, knownPIN: String?) {
        self.dialog = dialog
        self.knownPIN = knownPIN
    }

    /// Runs an operation with a dialog around it. Esc and Ctrl-C cancel it.
    static func run<Value: Sendable>(
        _ operation: SecurityKeyOperation, pin: String?,
        _ body:
            @escaping @Sendable (TerminalInteraction) async throws(SecurityKeyError) -> Value
    ) async throws -> Value {
        let started = Mutex<Task<Result<Value, SecurityKeyError>, Never>?>(nil)
        let environment = ProcessEnvironment.all
        let dialog = (try? ControllingTerminal()).map { terminal in
            TerminalDialog(
                title: "Security key", subject: [operation.heading], device: terminal,
                style: TerminalStyle(environment: environment),
                onCancel: { started.withLock { $0 }?.cancel() })
        }
        await dialog?.open()
        let interaction = TerminalInteraction(dialog: dialog, knownPIN: pin)
        let task = Task { () async -> Result<Value, SecurityKeyError> in
            do throws(SecurityKeyError) { return .success(try await body(interaction)) } catch {
                return .failure(error)
            }
        }
        started.withLock { $0 = task }
        let result = await task.value
        await dialog?.close()
        switch result {
        case .success(let value): return value
        case .failure(let error):
            throw await interaction.unasked ?? CommandError(error.sentence)
        }
    }

    func show(_ prompt: SecurityKeyPrompt) async {
        if let dialog { return await dialog.notice(prompt.sentence) }
        // That a key is at work is no news in a log.
        if case .working = prompt { return }
        StandardError.print(prompt.sentence)
    }

    func enterPIN(_ request: PINPrompt) async -> String? {
        await pin(of: request.key, problem: request.problem)
    }

    /// The PIN that the key has now.
    func pin(of key: AuthenticatorDescription, problem: SecurityKeyError? = nil) async -> String? {
        // A wrong PIN is not sent again, because the key limits the attempts.
        if problem != nil { knownPIN = nil }
        if let knownPIN { return knownPIN }
        guard let dialog else {
            unasked = CommandError(
                problem?.sentence
                    ?? "the key requires its PIN: run this at a terminal, or use --pin-file")
            return nil
        }
        knownPIN = try? await dialog.secret(
            "PIN of \(key.name):", problem: problem?.sentence
        ).revealText()
        return knownPIN
    }

    /// Asks for confirmation before something is destroyed.
    ///
    /// - Parameters:
    ///   - loss: What is destroyed, as the end of "This destroys …".
    ///   - isAgreed: Whether `--yes` was given, which skips the question.
    func confirm(_ loss: String, isAgreed: Bool) async throws(SecurityKeyError) {
        guard !isAgreed else { return }
        guard let dialog else {
            unasked = CommandError(
                "this destroys \(loss); without a terminal, use --yes", code: .badInput)
            throw .cancelled
        }
        let answer = try? await dialog.choice(
            "This destroys \(loss).", ["No, change nothing", "Yes, destroy it"])
        guard answer == 1 else { throw .cancelled }
    }

    func choosePIN(_ request: NewPINPrompt) async -> String? {
        await newPIN(minimumLength: request.minimumLength, problem: request.problem?.sentence)
    }

    /// A new PIN, typed twice.
    func newPIN(minimumLength: Int, problem: String? = nil) async -> String? {
        guard let dialog else {
            unasked = CommandError(
                "a new PIN is needed: run this at a terminal, or set one with gatehouse "
                    + "security-key set-pin --new-pin-file FILE")
            return nil
        }
        var problem = problem
        while let first = try? await dialog.secret(
            "New PIN, at least \(minimumLength) characters:", problem: problem)
        {
            guard let second = try? await dialog.secret("The same again:") else { return nil }
            if first == second { return first.revealText() }
            problem = "The two were not the same."
        }
        return nil
    }

    func chooseAccount(_ accounts: [SecurityKeyAccount]) async -> SecurityKeyAccount? {
        guard let dialog else { return accounts.count == 1 ? accounts.first : nil }
        let names = accounts.enumerated().map { index, account in
            TerminalText.safe(account.name ?? account.displayName ?? "Account \(index + 1)")
        }
        let index = try? await dialog.choice("Which account?", names)
        return index.flatMap { accounts.indices.contains($0) ? accounts[$0] : nil }
    }

    /// Does nothing: the caller that opened the dialog closes it.
    func finished() async {}
}

extension SecurityKeyOperation {
    /// What the panel is about.
    var heading: String {
        switch self {
        case .register(let party, let account):
            "Register a security key at \(party.withoutControls) for \(account.withoutControls)."
        case .signIn(let party): "Sign in at \(party.withoutControls)."
        case .setPIN: "Give this security key a PIN."
        case .changePIN: "Change the PIN of this security key."
        case .reset: "Erase everything on this security key."
        case .listCredentials: "Look at the passkeys on this security key."
        case .manageFingerprints: "Look at the fingers that this security key knows."
        case .enrollFingerprint: "Enrol a finger on this security key."
        default: "Look at this security key."
        }
    }
}
