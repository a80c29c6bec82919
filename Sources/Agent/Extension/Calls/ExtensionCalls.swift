// SPDX-License-Identifier: Apache-2.0
import AgentClient
import Primitives

/// The open calls of extensions, and why registrations failed.
@AgentActor
final class ExtensionCalls {
    private(set) var running: [UInt64: PendingExtensionCall] = [:]
    /// Why registrations did not succeed.
    private(set) var reasons: [RegistrationSubject: String] = [:]
    private var lastRequest: UInt64 = 0
    private let notices: any AgentEventLog
    private let background: BackgroundWork

    init(notices: any AgentEventLog, background: BackgroundWork) {
        (self.notices, self.background) = (notices, background)
    }

    // MARK: Calls

    var isEmpty: Bool { running.isEmpty }

    subscript(attempt: UInt64) -> PendingExtensionCall? { running[attempt] }

    func isOpen(_ attempt: UInt64) -> Bool { running[attempt] != nil }

    /// - Throws: ``PresentationError/callOver`` after the call has ended.
    func confirm(_ attempt: UInt64) throws(PresentationError) {
        guard isOpen(attempt) else { throw .callOver }
    }

    func open(_ call: PendingExtensionCall, as attempt: UInt64) { running[attempt] = call }

    /// Opens a call that registers nothing.
    ///
    /// - Returns: A number that a registration never has: registrations count from 1.
    func openRequest() -> UInt64 {
        lastRequest += 1
        let number = UInt64.max - lastRequest
        running[number] = PendingExtensionCall(task: Task {}, limit: Task {})
        return number
    }

    /// Removes a call; changes through it are refused from now on.
    func remove(_ attempt: UInt64) -> PendingExtensionCall? { running.removeValue(forKey: attempt) }

    /// Ends a call whose result does not count. The device keys that it made are registered again, as the
    /// provider does not know them.
    func abandon(_ attempt: UInt64, _ events: any AgentEvents) {
        guard let call = remove(attempt) else { return }
        call.cancel()
        guard let owner = call.reset else { return }
        background.start { await events.handle(.needsRepair(.device(owner))) }
    }

    /// Ends a call that registered nothing, and starts what it requested.
    ///
    /// - Returns: Whether it requested anything.
    @discardableResult
    func closeRequest(_ number: UInt64, _ events: any AgentEvents) -> Bool {
        guard let call = remove(number) else { return false }
        call.cancel()
        guard !call.needs.isEmpty || call.reset != nil else { return false }
        background.start { await events.meet(call) }
        return true
    }

    // MARK: Changes of a call

    func add(_ need: RequestedNeed, to attempt: UInt64) { running[attempt]?.needs.append(need) }

    func setReset(_ owner: DeviceOwner, of attempt: UInt64) { running[attempt]?.reset = owner }

    func setPIN(_ pin: (key: AgentKey, secret: Secret)?, of attempt: UInt64) {
        running[attempt]?.pin = pin
    }

    // MARK: Reasons

    /// Stores why a registration did not succeed, for the log, the status and the waiting person.
    func explain(_ reason: String, _ subject: RegistrationSubject) {
        let safe = reason.singleLine(atMost: 300)
        reasons[subject] = safe
        notices.registrationFailed(subject, safe)
    }

    func explain(_ reason: String, _ subject: RegistrationSubject, attempt: UInt64) {
        guard isOpen(attempt) else { return }
        explain(reason, subject)
    }

    func clearReason(of subject: RegistrationSubject) { reasons[subject] = nil }

    /// Logs a message of an extension in a call that registers nothing.
    func remark(_ reason: String, of account: String?) {
        notices.failed(
            "asking the extension about \(account ?? "this machine")",
            Remark(description: reason.singleLine(atMost: 300)))
    }

    private struct Remark: Error, CustomStringConvertible {
        let description: String
    }
}
