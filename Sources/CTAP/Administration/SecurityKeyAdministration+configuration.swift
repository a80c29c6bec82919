// SPDX-License-Identifier: Apache-2.0

extension SecurityKeyAdministration {
    private func configure(
        _ request: ConfigRequest, _ change: String
    ) async throws(SecurityKeyError) {
        guard try key.requireInfo().has(option: "authnrCfg") else {
            throw .unsupported("a configuration")
        }
        var request = request
        let token = try await token(
            .authenticatorConfiguration, .changeConfiguration(change))
        if let token {
            request.pinUvAuthParam = token.authenticate(request.authenticatedBytes)
            request.pinUvAuthProtocol = token.pinProtocol.rawValue
        }
        _ = try await key.send(.config(request), limit: SecurityKey.gestureLimit)
        try await key.refreshInfo()
    }

    /// Enables enterprise attestation, with which the key reports its serial number to configured
    /// relying parties (CTAP 2.2 section 6.11.1). Only a reset disables it.
    package func enableEnterpriseAttestation() async throws(SecurityKeyError) {
        guard try key.requireInfo().option("ep") != nil else {
            throw .unsupported("enterprise attestation")
        }
        try await configure(
            ConfigRequest(.enableEnterpriseAttestation), "allow enterprise attestation")
    }

    /// Makes the key verify its owner every time, or no longer (section 6.11.2).
    package func setAlwaysVerifies(_ wanted: Bool) async throws(SecurityKeyError) {
        guard let present = try key.requireInfo().option("alwaysUv") else {
            throw .unsupported("a switch for that")
        }
        guard present != wanted else { return }
        try await configure(
            ConfigRequest(.toggleAlwaysUv),
            wanted ? "make it ask for its PIN every time" : "make it ask for its PIN less often")
    }

    /// Raises the minimum length of a PIN (section 6.11.4); it cannot be lowered again.
    ///
    /// - Parameters:
    ///   - length: In code points; `nil` does not change it.
    ///   - relyingParties: The RP IDs that receive the minimum length.
    package func setMinimumPINLength(
        _ length: Int?, relyingParties: [String] = [], forceChange: Bool = false
    ) async throws(SecurityKeyError) {
        guard try key.requireInfo().has(option: "setMinPINLength") else {
            throw .unsupported("a least length of its PIN")
        }
        var request = ConfigRequest(.setMinPINLength)
        request.newMinPINLength = length
        if !relyingParties.isEmpty { request.minPinLengthRPIDs = relyingParties }
        if forceChange { request.forceChangePin = true }
        try await configure(request, "change its rules for PINs")
    }

    /// Makes a reset need a long touch (CTAP 2.3).
    package func enableLongTouchForReset() async throws(SecurityKeyError) {
        guard try key.requireInfo().longTouchForReset != nil else {
            throw .unsupported("long touches")
        }
        try await configure(
            ConfigRequest(.enableLongTouchForReset), "make its reset need a long touch")
    }
}
