// SPDX-License-Identifier: Apache-2.0
import Primitives

/// User verification and the verification of `pinUvAuthParam` (CTAP 2.1 section 6.5.5).
extension AuthenticatorMachine {
    /// Whether a form of user verification is configured: a PIN or built-in verification.
    var isProtected: Bool { state.pin != nil || verifiesByItself }

    /// Whether built-in verification is ready (the `uv` option is true).
    var verifiesByItself: Bool {
        switch configuration.verification {
        case .none: false
        case .fingerprint: !state.fingerprints.isEmpty
        case .platform: true
        }
    }

    /// Verifies that the current token authenticates `message` and has the permission.
    ///
    /// - Throws: `pinAuthInvalid` for each defect of the token, so that the status does not reveal
    ///   which one.
    mutating func verifyToken(
        _ parameter: [UInt8], over message: [UInt8], _ number: UInt8?,
        permission: PINPermissions
    ) throws(CTAPStatus) {
        let requested = try PINProtocol(requested: number)
        guard var token = session.token, !token.hasExpired(at: now),
            token.token.pinProtocol == requested, token.token.verify(message, parameter)
        else { throw .pinAuthInvalid }
        guard token.permissions.isSuperset(of: permission) else { throw .pinAuthInvalid }
        token.isUsed = true
        session.token = token
    }

    /// Verifies the token for a relying party. A token that is bound to another relying party is
    /// refused; an unbound token is bound to this one.
    mutating func verifyToken(
        _ parameter: [UInt8], over message: [UInt8], _ number: UInt8?,
        permission: PINPermissions, rpId: String
    ) throws(CTAPStatus) {
        try verifyToken(parameter, over: message, number, permission: permission)
        guard let token = session.token, token.userVerified,
            token.rpId == nil || token.rpId == rpId
        else { throw .pinAuthInvalid }
        session.token?.rpId = rpId
    }

    /// Whether the verification showed presence, so that another touch is not required.
    func showsPresence(_ verification: PerformedUserVerification) -> Bool {
        switch verification {
        case .none: false
        case .byToken: tokenShowsPresence
        case .builtIn: true
        }
    }

    /// Whether the token was issued with a touch that is recent and not consumed.
    private var tokenShowsPresence: Bool {
        guard let token = session.token, token.userPresent else { return false }
        return now - token.begun <= .seconds(30)
    }

    /// Consumes the presence of the token after an operation: from then on the token permits only
    /// large-blob writes (section 6.5.2.1: clearUserPresentFlag, clearUserVerifiedFlag,
    /// clearPinUvAuthTokenPermissionsExceptLbw).
    mutating func consumeTokenPresence() {
        session.token?.userPresent = false
        session.token?.userVerified = false
        session.token?.permissions.formIntersection(.largeBlobWrite)
    }

    /// Returns the secret shared with the client that sent `key`.
    func sharedSecret(
        with key: KeyAgreementKey, _ pinProtocol: PINProtocol
    ) throws(CTAPStatus) -> PINSharedSecret {
        do {
            return try session.keyAgreement.sharedSecret(
                with: PINKeyAgreementKey(key.cbor), pinProtocol)
        } catch { throw .invalidParameter }
    }

    /// The status of a probe: a request with an empty `pinUvAuthParam` finds out, after a touch,
    /// whether the key has a PIN.
    var probeStatus: CTAPStatus { state.pin == nil ? .pinNotSet : .pinInvalid }
}

extension PINProtocol {
    /// The protocol that a request names.
    ///
    /// - Throws: `missingParameter` if it names none, `invalidParameter` if the protocol is
    ///   unknown.
    init(requested number: UInt8?) throws(CTAPStatus) {
        guard let number else { throw .missingParameter }
        guard let known = Self(rawValue: number) else { throw .invalidParameter }
        self = known
    }
}
