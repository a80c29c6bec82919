// SPDX-License-Identifier: Apache-2.0
import Primitives

/// `authenticatorClientPIN` (CTAP 2.1 section 6.5.5).
extension SoftwareAuthenticator {
    func clientPIN(_ request: ClientPINRequest) async throws(CTAPStatus) -> ClientPINResponse {
        var response = ClientPINResponse()
        switch request.subcommand {
        case .getPINRetries:
            response.pinRetries = state.pinRetries
            response.powerCycleState = session.pinIsBlocked
        case .getKeyAgreement:
            _ = try pinProtocol(request.pinUvAuthProtocol)
            response.keyAgreement = try keyAgreementKey()
        case .setPIN: try setPIN(request)
        case .changePIN: try changePIN(request)
        case .getPinToken: response.pinUvAuthToken = try tokenForPIN(request)
        case .getPinUvAuthTokenUsingPinWithPermissions:
            response.pinUvAuthToken = try tokenForPINWithPermissions(request)
        case .getPinUvAuthTokenUsingUvWithPermissions:
            response.pinUvAuthToken = try await tokenForVerification(request)
        case .getUVRetries:
            guard configuration.verification != .none else { throw .invalidParameter }
            response.uvRetries = state.verificationRetries
        }
        return response
    }

    private func keyAgreementKey() throws(CTAPStatus) -> KeyAgreementKey {
        do { return try KeyAgreementKey(session.keyAgreement.publicKey.cose) } catch {
            throw .other
        }
    }

    /// The secret shared with the client that sent its key.
    func sharedSecret(
        with key: KeyAgreementKey, _ pinProtocol: PINProtocol
    ) throws(CTAPStatus) -> PINSharedSecret {
        do {
            return try session.keyAgreement.sharedSecret(
                with: PINKeyAgreementKey(key.cbor), pinProtocol)
        } catch { throw .invalidParameter }
    }

    // MARK: Setting and changing (6.5.5.5, 6.5.5.6)

    private func setPIN(_ request: ClientPINRequest) throws(CTAPStatus) {
        let number = try pinProtocol(request.pinUvAuthProtocol)
        guard let key = request.keyAgreement, let encrypted = request.newPinEnc,
            let parameter = request.pinUvAuthParam
        else { throw .missingParameter }
        guard state.pin == nil else { throw .pinAuthInvalid }
        let secret = try sharedSecret(with: key, number)
        guard secret.verify(encrypted, parameter) else { throw .pinAuthInvalid }
        try store(try newPIN(encrypted, secret))
    }

    private func changePIN(_ request: ClientPINRequest) throws(CTAPStatus) {
        let number = try pinProtocol(request.pinUvAuthProtocol)
        guard let key = request.keyAgreement, let encrypted = request.newPinEnc,
            let hash = request.pinHashEnc, let parameter = request.pinUvAuthParam
        else { throw .missingParameter }
        guard let current = state.pin else { throw .pinNotSet }
        guard state.pinRetries > 0 else { throw .pinBlocked }
        let secret = try sharedSecret(with: key, number)
        guard secret.verify(encrypted + hash, parameter) else { throw .pinAuthInvalid }
        try checkPIN(hash, secret)
        let pin = try newPIN(encrypted, secret)
        if state.forcesPINChange, pin.hash == current.hash {
            throw .pinPolicyViolation
        }
        try store(pin)
    }

    private func newPIN(
        _ encrypted: [UInt8], _ secret: PINSharedSecret
    ) throws(CTAPStatus) -> ClientPIN {
        guard encrypted.count == ClientPIN.paddedLength + secret.pinProtocol.encryptionOverhead,
            let padded = try? secret.decrypt(encrypted)
        else { throw .invalidParameter }
        guard let pin = ClientPIN(padded: padded), pin.codePoints >= state.minimumPINLength else {
            throw .pinPolicyViolation
        }
        return pin
    }

    /// A new PIN has all its tries, and ends every token of the old one.
    private func store(_ pin: ClientPIN) throws(CTAPStatus) {
        try commit {
            $0.pin = AuthenticatorState.StoredPIN(hash: pin.hash, codePoints: pin.codePoints)
            $0.pinRetries = AuthenticatorState.maximumPINRetries
            $0.verificationRetries = AuthenticatorState.maximumVerificationRetries
            $0.forcesPINChange = false
            $0.persistentToken = nil
        }
        session.token = nil
        session.wrongPINs = 0
    }

    // MARK: Checking (6.5.5.7.1, steps 5 to 8)

    /// Compares a PIN with the one that is set. The try is gone from the store, durably, before the
    /// comparison, so that pulling the plug does not give it back.
    ///
    /// - Throws: `pinBlocked`, `pinAuthBlocked` or `pinInvalid`.
    func checkPIN(_ encryptedHash: [UInt8], _ secret: PINSharedSecret) throws(CTAPStatus) {
        guard let pin = state.pin else { throw .pinNotSet }
        guard state.pinRetries > 0 else { throw .pinBlocked }
        guard !session.pinIsBlocked else { throw .pinAuthBlocked }
        try commit { $0.pinRetries -= 1 }
        guard let hash = try? secret.decrypt(encryptedHash), pin.hash == hash else {
            throw wrongPIN()
        }
        session.wrongPINs = 0
        try commit {
            $0.pinRetries = AuthenticatorState.maximumPINRetries
            $0.verificationRetries = AuthenticatorState.maximumVerificationRetries
        }
    }

    /// Counts a wrong PIN; the key agreement key is new afterwards.
    private func wrongPIN() -> CTAPStatus {
        session.keyAgreement = PINKeyAgreement(random: random)
        session.wrongPINs += 1
        if state.pinRetries == 0 { return .pinBlocked }
        return session.pinIsBlocked ? .pinAuthBlocked : .pinInvalid
    }
}
