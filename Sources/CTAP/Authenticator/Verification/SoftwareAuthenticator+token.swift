// SPDX-License-Identifier: Apache-2.0
import Primitives

/// Checking `pinUvAuthParam` (CTAP 2.1 section 6.5.5).
extension SoftwareAuthenticator {
    /// Whether some form of verification is configured: a PIN, or what is built in.
    var isProtected: Bool { state.pin != nil || verifiesByItself }

    /// Whether built-in verification is there and ready (the `uv` option is true).
    var verifiesByItself: Bool {
        switch configuration.verification {
        case .none: false
        case .fingerprint: !state.fingerprints.isEmpty
        case .platform: true
        }
    }

    /// The protocol that a request names.
    ///
    /// - Throws: `missingParameter` without one, `invalidParameter` for one that is not known.
    func pinProtocol(_ number: UInt8?) throws(CTAPStatus) -> PINProtocol {
        guard let number else { throw .missingParameter }
        guard let known = PINProtocol(rawValue: number) else { throw .invalidParameter }
        return known
    }

    /// Checks that `parameter` was made over `message` with the current token, and that the token
    /// may do this.
    ///
    /// - Throws: `pinAuthInvalid` for whatever is wrong with the token, so that nothing is told.
    func verifyToken(
        _ parameter: [UInt8], over message: [UInt8], _ number: UInt8?,
        permission: PINPermissions
    ) throws(CTAPStatus) {
        let wanted = try pinProtocol(number)
        guard var token = session.token, !token.hasExpired(at: clock.now),
            token.token.pinProtocol == wanted, token.token.verify(message, parameter)
        else { throw .pinAuthInvalid }
        guard token.permissions.isSuperset(of: permission) else { throw .pinAuthInvalid }
        token.isUsed = true
        session.token = token
    }

    /// ``verifyToken(_:over:_:permission:)`` for a relying party: a token that is bound to another
    /// is refused, one that is bound to none becomes this one's.
    func verifyToken(
        _ parameter: [UInt8], over message: [UInt8], _ number: UInt8?,
        permission: PINPermissions, rpId: String
    ) throws(CTAPStatus) {
        try verifyToken(parameter, over: message, number, permission: permission)
        guard let token = session.token, token.userVerified,
            token.rpId == nil || token.rpId == rpId
        else { throw .pinAuthInvalid }
        session.token?.rpId = rpId
    }

    /// Whether the token's verification took a touch, not long ago, that nothing has used yet.
    var tokenShowsPresence: Bool {
        guard let token = session.token, token.userPresent else { return false }
        return clock.now - token.begun <= .seconds(30)
    }

    /// After an operation has used the person's presence, the token is good for large blobs only
    /// (section 6.5.2.1, clearUserPresentFlag and its siblings).
    func spendToken() {
        session.token?.userPresent = false
        session.token?.userVerified = false
        session.token?.permissions.formIntersection(.largeBlobWrite)
    }

    /// An empty `pinUvAuthParam` asks which key is meant, and whether it has a PIN.
    func answerProbe() async throws(CTAPStatus) -> Never {
        try await confirmPresence(.probe)
        throw state.pin == nil ? .pinNotSet : .pinInvalid
    }
}
