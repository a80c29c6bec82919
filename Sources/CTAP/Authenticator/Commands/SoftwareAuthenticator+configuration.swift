// SPDX-License-Identifier: Apache-2.0

/// `authenticatorConfig` (CTAP 2.1 section 6.11).
extension SoftwareAuthenticator {
    func configure(_ request: ConfigRequest) throws(CTAPStatus) -> [UInt8] {
        if isProtected || (state.alwaysVerifies && request.subcommand != .toggleAlwaysUv) {
            guard let parameter = request.pinUvAuthParam else { throw .pinRequired }
            try verifyToken(
                parameter, over: request.authenticatedBytes, request.pinUvAuthProtocol,
                permission: .authenticatorConfiguration)
        }
        switch request.subcommand {
        case .enableEnterpriseAttestation:
            guard configuration.enterpriseRPIDs != nil else { throw .invalidSubcommand }
            try commit { $0.attestsEnterprise = true }
        case .toggleAlwaysUv: try commit { $0.alwaysVerifies.toggle() }
        case .setMinPINLength: try setMinimumPINLength(request)
        case .enableLongTouchForReset: try commit { $0.longTouchForReset = true }
        case .vendorPrototype: throw .invalidSubcommand
        }
        return []
    }

    /// A minimum only rises. A PIN that has become too short must be changed before it is good for
    /// another token.
    private func setMinimumPINLength(_ request: ConfigRequest) throws(CTAPStatus) {
        let length = request.newMinPINLength ?? state.minimumPINLength
        guard length >= state.minimumPINLength, length <= ClientPIN.greatestLength else {
            throw .pinPolicyViolation
        }
        let rpIds = request.minPinLengthRPIDs
        guard (rpIds?.count ?? 0) <= configuration.maximumMinPINLengthRPIDs else {
            throw .keyStoreFull
        }
        // The software key has no rules for PINs beside their length.
        guard request.pinComplexityPolicy != true else { throw .invalidParameter }
        if request.forceChangePin == true, state.pin == nil { throw .pinNotSet }
        let tooShort = state.pin.map { $0.codePoints < length } ?? false
        let forces = request.forceChangePin == true || tooShort
        try commit {
            $0.minimumPINLength = length
            if let rpIds { $0.minimumPINLengthRPIDs = rpIds }
            if forces { $0.forcesPINChange = true }
            if forces { $0.persistentToken = nil }
        }
        if forces { session.token = nil }
    }
}
