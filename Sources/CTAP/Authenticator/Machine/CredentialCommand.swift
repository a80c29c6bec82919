// SPDX-License-Identifier: Apache-2.0

/// A command that creates or uses a credential: it verifies the user, and requires presence.
protocol CredentialCommand {
    /// The result of the validation before the first gesture.
    associatedtype Plan
    /// The state during the last gesture.
    associatedtype Pending

    func verification(_ machine: AuthenticatorMachine) -> UserVerificationRequest

    func plan(_ machine: AuthenticatorMachine) throws(CTAPStatus) -> Plan

    /// Continues after user verification, to the response or the last gesture.
    func advance(
        _ plan: Plan, _ verification: PerformedUserVerification,
        _ machine: inout AuthenticatorMachine
    ) throws(CTAPStatus) -> CredentialCommandStep<Pending>

    func resume(
        _ pending: Pending, after result: GestureResult, _ machine: inout AuthenticatorMachine
    ) throws(CTAPStatus) -> [UInt8]
}

/// The step of a ``CredentialCommand`` after user verification.
enum CredentialCommandStep<Pending> {
    case confirm(GesturePrompt.Operation, Pending)
    case finished([UInt8])
}

/// A ``CredentialCommand`` in progress.
struct CredentialCommandRun<Command: CredentialCommand>: GestureCommand {
    private enum Phase {
        case probe
        case verification(UserVerificationStep, Command.Plan)
        case pending(Command.Pending)
    }

    private let command: Command
    private var phase = Phase.probe

    init(_ command: Command) { self.command = command }

    /// A client probes with an empty parameter for keys that the person can touch.
    mutating func begin(
        _ machine: inout AuthenticatorMachine
    ) throws(CTAPStatus) -> CommandProgress<[UInt8]> {
        let request = command.verification(machine)
        if let parameter = request.parameter {
            if parameter.isEmpty { return .gesture(.confirm(.probe)) }
            _ = try PINProtocol(requested: request.pinProtocol)
        }
        let plan = try command.plan(machine)
        var step = UserVerificationStep(request)
        return try advance(try step.begin(&machine), step, plan, &machine)
    }

    mutating func resume(
        after result: GestureResult, _ machine: inout AuthenticatorMachine
    ) throws(CTAPStatus) -> CommandProgress<[UInt8]> {
        switch phase {
        case .probe:
            try result.requirePresence()
            throw machine.probeStatus
        case .verification(var step, let plan):
            return try advance(try step.resume(after: result, &machine), step, plan, &machine)
        case .pending(let pending):
            return .finished(try command.resume(pending, after: result, &machine))
        }
    }

    private mutating func advance(
        _ progress: CommandProgress<PerformedUserVerification>, _ step: UserVerificationStep,
        _ plan: Command.Plan, _ machine: inout AuthenticatorMachine
    ) throws(CTAPStatus) -> CommandProgress<[UInt8]> {
        switch progress {
        case .gesture(let gesture):
            phase = .verification(step, plan)
            return .gesture(gesture)
        case .finished(let verification):
            switch try command.advance(plan, verification, &machine) {
            case .finished(let response): return .finished(response)
            case .confirm(let operation, let pending):
                phase = .pending(pending)
                return .gesture(.confirm(operation))
            }
        }
    }
}
