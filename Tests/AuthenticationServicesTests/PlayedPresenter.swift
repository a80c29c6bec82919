// SPDX-License-Identifier: Apache-2.0
import AuthenticationServices
import Synchronization

/// A presenter that a test plays, and that writes down what it was told.
final class PlayedPresenter: AuthorizationPresenter {
    /// Where the person gives up.
    enum GivingUp: Sendable, CaseIterable {
        case atOnce, atPIN, atTouch, atChoice
    }

    struct NobodyThere: Error {}

    private struct Log {
        var sheets: [AuthorizationSheet] = []
        var notices: [AuthorizationInstruction] = []
        var questions: [AuthorizationPINPrompt] = []
        var choices: [[String]] = []
        var outcomes: [AuthorizationOutcome] = []
        var cancel: (@Sendable () -> Void)?
        var pins: [String]
    }

    private let log: Mutex<Log>
    private let givingUp: GivingUp?
    private let isAbsent: Bool
    private let choice: Int
    private let onNotice: @Sendable (AuthorizationInstruction) -> Void

    init(
        pins: [String] = ["2580"], choice: Int = 0, givingUp: GivingUp? = nil,
        isAbsent: Bool = false,
        onNotice: @escaping @Sendable (AuthorizationInstruction) -> Void = { _ in }
    ) {
        log = Mutex(Log(pins: pins))
        self.choice = choice
        self.givingUp = givingUp
        self.isAbsent = isAbsent
        self.onNotice = onNotice
    }

    var sheets: [AuthorizationSheet] { log.withLock { $0.sheets } }
    var notices: [AuthorizationInstruction] { log.withLock { $0.notices } }
    var questions: [AuthorizationPINPrompt] { log.withLock { $0.questions } }
    var choices: [[String]] { log.withLock { $0.choices } }
    var outcomes: [AuthorizationOutcome] { log.withLock { $0.outcomes } }

    func begin(_ sheet: AuthorizationSheet, cancel: @escaping @Sendable () -> Void) async throws {
        if isAbsent { throw NobodyThere() }
        log.withLock {
            $0.sheets.append(sheet)
            $0.cancel = cancel
        }
        if givingUp == .atOnce { cancel() }
    }

    func show(_ notice: AuthorizationInstruction) async {
        let cancel = log.withLock { log in
            log.notices.append(notice)
            return log.cancel
        }
        onNotice(notice)
        if givingUp == .atTouch, notice.kind == .touch { cancel?() }
    }

    func enterPIN(_ question: AuthorizationPINPrompt) async -> String? {
        log.withLock { log in
            log.questions.append(question)
            return givingUp == .atPIN || log.pins.isEmpty ? nil : log.pins.removeFirst()
        }
    }

    func choose(_ question: String, from choices: [String]) async -> Int? {
        log.withLock { $0.choices.append(choices) }
        return givingUp == .atChoice ? nil : choice
    }

    func end(_ outcome: AuthorizationOutcome) async {
        log.withLock { $0.outcomes.append(outcome) }
    }
}
