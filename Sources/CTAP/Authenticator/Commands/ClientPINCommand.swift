// SPDX-License-Identifier: Apache-2.0

/// `authenticatorClientPIN` (CTAP 2.1 section 6.5.5).
struct ClientPINCommand: GestureCommand {
    private let request: ClientPINRequest
    /// The verification of getPinUvAuthTokenUsingUvWithPermissions.
    private var verification: (run: BuiltInVerificationRun, token: PINTokenRequest)?

    init(_ request: ClientPINRequest) { self.request = request }

    mutating func begin(
        _ machine: inout AuthenticatorMachine
    ) throws(CTAPStatus) -> CommandProgress<[UInt8]> {
        var response = ClientPINResponse()
        switch request.subcommand {
        case .getPINRetries:
            response.pinRetries = machine.state.pinRetries
            response.powerCycleState = machine.session.pinIsBlocked
        case .getKeyAgreement:
            _ = try PINProtocol(requested: request.pinUvAuthProtocol)
            response.keyAgreement = try Self.keyAgreementKey(machine)
        case .setPIN: try ClientPINChange(request).set(&machine)
        case .changePIN: try ClientPINChange(request).change(&machine)
        case .getPinToken: response.pinUvAuthToken = try tokenForPIN(&machine)
        case .getPinUvAuthTokenUsingPinWithPermissions:
            response.pinUvAuthToken = try tokenForPINWithPermissions(&machine)
        case .getPinUvAuthTokenUsingUvWithPermissions: return .gesture(try verify(&machine))
        case .getUVRetries:
            guard machine.configuration.verification != .none else { throw .invalidParameter }
            response.uvRetries = machine.state.verificationRetries
        }
        return .finished(response.encode())
    }

    mutating func resume(
        after result: GestureResult, _ machine: inout AuthenticatorMachine
    ) throws(CTAPStatus) -> CommandProgress<[UInt8]> {
        guard let token = verification?.token else { throw .other }
        if let next = try verification?.run.resume(after: result, &machine) {
            return .gesture(next)
        }
        let secret = try machine.sharedSecret(with: token.key, token.pinProtocol)
        var response = ClientPINResponse()
        response.pinUvAuthToken = try PINTokenIssuer(
            permissions: token.permissions, rpId: request.rpId, userPresent: true
        ).issue(secret, &machine)
        return .finished(response.encode())
    }

    private static func keyAgreementKey(
        _ machine: AuthenticatorMachine
    ) throws(CTAPStatus) -> KeyAgreementKey {
        do { return try KeyAgreementKey(machine.session.keyAgreement.publicKey.cose) } catch {
            throw .other
        }
    }

    // MARK: Tokens (6.5.5.7)

    /// getPinToken (05), of CTAP 2.0.
    private func tokenForPIN(
        _ machine: inout AuthenticatorMachine
    ) throws(CTAPStatus) -> [UInt8] {
        guard request.permissions == nil, request.rpId == nil else { throw .invalidParameter }
        let secret = try secretAfterPIN(&machine)
        return try PINTokenIssuer(permissions: .implicit, rpId: nil, userPresent: false)
            .issue(secret, &machine)
    }

    /// getPinUvAuthTokenUsingPinWithPermissions (09).
    private func tokenForPINWithPermissions(
        _ machine: inout AuthenticatorMachine
    ) throws(CTAPStatus) -> [UInt8] {
        let permissions = try PINPermissions(requestedBy: request, machine.configuration)
        let secret = try secretAfterPIN(&machine)
        return try PINTokenIssuer(
            permissions: permissions, rpId: request.rpId, userPresent: false
        ).issue(secret, &machine)
    }

    /// getPinUvAuthTokenUsingUvWithPermissions (06).
    private mutating func verify(
        _ machine: inout AuthenticatorMachine
    ) throws(CTAPStatus) -> GestureRequest {
        let number = try PINProtocol(requested: request.pinUvAuthProtocol)
        guard let key = request.keyAgreement else { throw .missingParameter }
        let permissions = try PINPermissions(requestedBy: request, machine.configuration)
        guard machine.configuration.verification != .none else { throw .invalidSubcommand }
        guard machine.verifiesByItself else { throw .notAllowed }
        var run = BuiltInVerificationRun(.verifyForToken(rpId: request.rpId))
        let gesture = try run.begin(&machine)
        verification = (
            run, PINTokenRequest(key: key, pinProtocol: number, permissions: permissions)
        )
        return gesture
    }

    private func secretAfterPIN(
        _ machine: inout AuthenticatorMachine
    ) throws(CTAPStatus) -> PINSharedSecret {
        let number = try PINProtocol(requested: request.pinUvAuthProtocol)
        guard let key = request.keyAgreement, let hash = request.pinHashEnc else {
            throw .missingParameter
        }
        let secret = try machine.sharedSecret(with: key, number)
        try machine.verifyPIN(hash, secret)
        if machine.state.forcesPINChange { throw .pinPolicyViolation }
        return secret
    }
}
