// SPDX-License-Identifier: Apache-2.0
import Primitives

/// Gets a `pinUvAuthToken` from a key: by its own means of verification, or by its PIN (CTAP 2.2
/// section 6.5.5.7).
struct UserVerification: Sendable {
    let key: SecurityKey
    let interaction: any SecurityKeyInteraction
    let random: any RandomSource

    /// The maximum number of PIN prompts. Keys permit eight wrong PINs; a key that permits more is
    /// in error.
    private static let attempts = 9

    /// Returns a token with exactly these permissions.
    ///
    /// - Parameter rpId: The relying party that the token is bound to.
    func token(
        _ permissions: PINPermissions, rpId: String?, _ operation: SecurityKeyOperation
    ) async throws(SecurityKeyError) -> PINUVAuthToken {
        let info = try key.requireInfo()
        if info.hasBuiltInVerification, info.has(option: "pinUvAuthToken") {
            do {
                return try await builtInToken(permissions, rpId: rpId, operation)
            } catch {
                guard error == .verificationBlocked || error == .notRecognised, info.hasPIN else {
                    throw error
                }
            }
        }
        if info.has(option: "noMcGaPermissionsWithClientPin"),
            !permissions.isDisjoint(with: .needRelyingParty)
        {
            throw .verificationUnavailable
        }
        guard info.canHavePIN else { throw .verificationUnavailable }
        if !info.hasPIN { try await setFirstPIN(operation) }
        if info.forcePINChange == true { throw .pinMustBeChanged }
        return try await tokenByPIN(permissions, rpId: rpId, operation)
    }

    // MARK: Built-in verification

    private func builtInToken(
        _ permissions: PINPermissions, rpId: String?, _ operation: SecurityKeyOperation
    ) async throws(SecurityKeyError) -> PINUVAuthToken {
        let attempts = min(max(try key.requireInfo().preferredPlatformUvAttempts ?? 3, 1), 5)
        for attempt in 1... {
            await interaction.show(.verify(key.description, operation))
            do {
                let agreement = try await PINAgreement(with: key, random: random)
                var request = ClientPINRequest(.getPinUvAuthTokenUsingUvWithPermissions)
                request.permissions = permissions.rawValue
                request.rpId = rpId
                return try await agreement.token(request, limit: SecurityKey.gestureLimit)
            } catch {
                guard error == .notRecognised, attempt < attempts else { throw error }
                let triesLeft = try await uvRetries()
                guard triesLeft > 0 else { throw .verificationBlocked }
                await interaction.show(.verificationFailed(triesLeft: triesLeft))
            }
        }
        throw .notRecognised
    }

    private func uvRetries() async throws(SecurityKeyError) -> Int {
        let reply = try await key.send(.clientPIN(ClientPINRequest(.getUVRetries)))
        return try SecurityKey.read { () throws(CTAPMessageError) in
            try ClientPINResponse(cbor: reply).uvRetries ?? 0
        }
    }

    // MARK: PIN

    /// Returns the remaining PIN attempts, and whether the key must be reinserted before the next
    /// one.
    func pinRetries() async throws(SecurityKeyError) -> (left: Int?, mustBeReinserted: Bool) {
        let reply = try await key.send(.clientPIN(ClientPINRequest(.getPINRetries)))
        let response = try SecurityKey.read { () throws(CTAPMessageError) in
            try ClientPINResponse(cbor: reply)
        }
        return (response.pinRetries, response.powerCycleState == true)
    }

    private func tokenByPIN(
        _ permissions: PINPermissions, rpId: String?, _ operation: SecurityKeyOperation
    ) async throws(SecurityKeyError) -> PINUVAuthToken {
        var problem: SecurityKeyError?
        for _ in 1...Self.attempts {
            let retries = try await pinRetries()
            if retries.left == 0 { throw .pinBlocked }
            if retries.mustBeReinserted { throw .mustBeReinserted }
            if case .wrongPIN = problem { problem = .wrongPIN(triesLeft: retries.left) }
            let request = PINPrompt(
                key: key.description, operation: operation, problem: problem,
                triesLeft: retries.left)
            guard let text = await interaction.enterPIN(request) else { throw .cancelled }
            do {
                let pin = try Self.pin(text)
                await interaction.show(.working(key.description))
                return try await token(pin, permissions, rpId: rpId)
            } catch {
                switch error {
                case .wrongPIN, .pinTooShort, .pinTooLong: problem = error
                default: throw error
                }
            }
        }
        throw problem ?? .pinRequired
    }

    /// A PIN from what a person typed.
    static func pin(_ text: String) throws(SecurityKeyError) -> ClientPIN {
        if let pin = ClientPIN(text) { return pin }
        throw text.unicodeScalars.count < ClientPIN.leastCodePoints
            ? .pinTooShort(minimum: ClientPIN.leastCodePoints) : .pinTooLong
    }

    private func token(
        _ pin: ClientPIN, _ permissions: PINPermissions, rpId: String?
    ) async throws(SecurityKeyError) -> PINUVAuthToken {
        let agreement = try await PINAgreement(with: key, random: random)
        var request: ClientPINRequest
        if try key.requireInfo().has(option: "pinUvAuthToken") {
            request = ClientPINRequest(.getPinUvAuthTokenUsingPinWithPermissions)
            request.permissions = permissions.rawValue
            request.rpId = rpId
        } else {
            request = ClientPINRequest(.getPinToken)
        }
        request.pinHashEnc = try agreement.encrypt(pin.hash)
        return try await agreement.token(request, limit: SecurityKey.commandLimit)
    }

    /// A key without a PIN gets one, when the relying party insists on verification.
    private func setFirstPIN(
        _ operation: SecurityKeyOperation
    ) async throws(SecurityKeyError) {
        let minimum = max(try key.requireInfo().minPINLength ?? 4, ClientPIN.leastCodePoints)
        var problem: SecurityKeyError?
        for _ in 1...Self.attempts {
            let request = NewPINPrompt(
                key: key.description, operation: operation, problem: problem,
                minimumLength: minimum)
            guard let text = await interaction.choosePIN(request) else { throw .cancelled }
            do {
                return try await key.setPIN(text, random: random)
            } catch {
                switch error {
                case .pinTooShort, .pinTooLong, .pinPolicyViolation: problem = error
                default: throw error
                }
            }
        }
        throw problem ?? .pinRequired
    }
}
