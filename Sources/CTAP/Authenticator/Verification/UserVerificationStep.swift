// SPDX-License-Identifier: Apache-2.0

/// User verification by token or by built-in means, as steps 1 to 11 of CTAP 2.1 section 6.1.2 and
/// steps 1 to 6 of section 6.2.2 describe it.
struct UserVerificationStep {
    private let request: UserVerificationRequest
    private var run: BuiltInVerificationRun

    init(_ request: UserVerificationRequest) {
        self.request = request
        run = BuiltInVerificationRun(request.operation)
    }

    mutating func begin(
        _ machine: inout AuthenticatorMachine
    ) throws(CTAPStatus) -> CommandProgress<PerformedUserVerification> {
        if let parameter = request.parameter {
            try machine.verifyToken(
                parameter, over: request.clientDataHash, request.pinProtocol,
                permission: request.permission, rpId: request.rpId)
            return .finished(.byToken)
        }
        var usesBuiltIn = request.options?.uv ?? false
        if usesBuiltIn, !machine.verifiesByItself { throw .invalidOption }
        if request.isRequired, !usesBuiltIn {
            guard machine.verifiesByItself, machine.state.alwaysVerifies else {
                throw .pinRequired
            }
            usesBuiltIn = true
        }
        guard usesBuiltIn else { return .finished(.none) }
        do throws(CTAPStatus) { return .gesture(try run.begin(&machine)) } catch {
            throw refusal(error, machine)
        }
    }

    mutating func resume(
        after result: GestureResult, _ machine: inout AuthenticatorMachine
    ) throws(CTAPStatus) -> CommandProgress<PerformedUserVerification> {
        do throws(CTAPStatus) {
            guard let next = try run.resume(after: result, &machine) else {
                return .finished(.builtIn)
            }
            return .gesture(next)
        } catch { throw refusal(error, machine) }
    }

    /// Returns the status of failed built-in verification: the client can continue with the PIN.
    private func refusal(_ status: CTAPStatus, _ machine: AuthenticatorMachine) -> CTAPStatus {
        switch status {
        case .uvBlocked, .uvInvalid: machine.state.pin == nil ? .operationDenied : .pinRequired
        default: status
        }
    }
}
