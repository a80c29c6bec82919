// SPDX-License-Identifier: Apache-2.0

/// `authenticatorConfig` (CTAP 2.1 section 6.11).
struct ConfigCommand {
    private let request: ConfigRequest

    init(_ request: ConfigRequest) { self.request = request }

    func run(_ machine: inout AuthenticatorMachine) throws(CTAPStatus) -> [UInt8] {
        let requiresToken =
            machine.isProtected
            || (machine.state.alwaysVerifies && request.subcommand != .toggleAlwaysUv)
        if requiresToken {
            guard let parameter = request.pinUvAuthParam else { throw .pinRequired }
            try machine.verifyToken(
                parameter, over: request.authenticatedBytes, request.pinUvAuthProtocol,
                permission: .authenticatorConfiguration)
        }
        switch request.subcommand {
        case .enableEnterpriseAttestation:
            guard machine.configuration.enterpriseRPIDs != nil else { throw .invalidSubcommand }
            try machine.commit { $0.attestsEnterprise = true }
        case .toggleAlwaysUv: try machine.commit { $0.alwaysVerifies.toggle() }
        case .setMinPINLength: try setMinimumPINLength(&machine)
        case .enableLongTouchForReset: try machine.commit { $0.longTouchForReset = true }
        case .vendorPrototype: throw .invalidSubcommand
        }
        return []
    }

    /// Raises the minimum; it cannot be lowered. A PIN that is then too short must be changed
    /// before the key issues another token.
    private func setMinimumPINLength(
        _ machine: inout AuthenticatorMachine
    ) throws(CTAPStatus) {
        let state = machine.state
        let length = request.newMinPINLength ?? state.minimumPINLength
        guard length >= state.minimumPINLength, length <= ClientPIN.greatestLength else {
            throw .pinPolicyViolation
        }
        let rpIds = request.minPinLengthRPIDs
        guard (rpIds?.count ?? 0) <= machine.configuration.maximumMinPINLengthRPIDs else {
            throw .keyStoreFull
        }
        // The software key has no PIN policy other than the length.
        guard request.pinComplexityPolicy != true else { throw .invalidParameter }
        if request.forceChangePin == true, state.pin == nil { throw .pinNotSet }
        let isTooShort = state.pin.map { $0.codePoints < length } ?? false
        let forces = request.forceChangePin == true || isTooShort
        try machine.commit {
            $0.minimumPINLength = length
            if let rpIds { $0.minimumPINLengthRPIDs = rpIds }
            if forces { $0.forcesPINChange = true }
            if forces { $0.persistentToken = nil }
        }
        if forces { machine.session.token = nil }
    }
}
