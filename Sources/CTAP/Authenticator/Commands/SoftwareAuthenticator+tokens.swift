// SPDX-License-Identifier: Apache-2.0
import Primitives

/// Giving out tokens (CTAP 2.1 section 6.5.5.7).
extension SoftwareAuthenticator {
    /// getPinToken (05), of CTAP 2.0.
    func tokenForPIN(_ request: ClientPINRequest) throws(CTAPStatus) -> [UInt8] {
        guard request.permissions == nil, request.rpId == nil else { throw .invalidParameter }
        let secret = try secretAfterPIN(request)
        return try give(.implicit, nil, userPresent: false, secret)
    }

    /// getPinUvAuthTokenUsingPinWithPermissions (09).
    func tokenForPINWithPermissions(_ request: ClientPINRequest) throws(CTAPStatus) -> [UInt8] {
        let permissions = try permissions(of: request)
        let secret = try secretAfterPIN(request)
        return try give(permissions, request.rpId, userPresent: false, secret)
    }

    /// getPinUvAuthTokenUsingUvWithPermissions (06).
    func tokenForVerification(_ request: ClientPINRequest) async throws(CTAPStatus) -> [UInt8] {
        let number = try pinProtocol(request.pinUvAuthProtocol)
        guard let key = request.keyAgreement else { throw .missingParameter }
        let permissions = try permissions(of: request)
        guard configuration.verification != .none else { throw .invalidSubcommand }
        guard verifiesByItself else { throw .notAllowed }
        try await verifyByItself(.verifyForToken(rpId: request.rpId))
        return try give(
            permissions, request.rpId, userPresent: true, try sharedSecret(with: key, number))
    }

    private func secretAfterPIN(
        _ request: ClientPINRequest
    ) throws(CTAPStatus) -> PINSharedSecret {
        let number = try pinProtocol(request.pinUvAuthProtocol)
        guard let key = request.keyAgreement, let hash = request.pinHashEnc else {
            throw .missingParameter
        }
        let secret = try sharedSecret(with: key, number)
        try checkPIN(hash, secret)
        if state.forcesPINChange { throw .pinPolicyViolation }
        return secret
    }

    /// The permissions that are asked for, when this key can give them.
    private func permissions(
        of request: ClientPINRequest
    ) throws(CTAPStatus) -> PINPermissions {
        guard let number = request.permissions else { throw .missingParameter }
        let asked = PINPermissions(rawValue: number)
        guard !asked.isEmpty else { throw .invalidParameter }
        if asked.contains(.bioEnrollment), configuration.verification != .fingerprint {
            throw .unauthorizedPermission
        }
        if asked.contains(.persistentCredentialManagementReadOnly),
            asked != .persistentCredentialManagementReadOnly
        {
            throw .unauthorizedPermission
        }
        if !asked.isDisjoint(with: .needRelyingParty), request.rpId == nil {
            throw .missingParameter
        }
        return asked
    }

    private func give(
        _ permissions: PINPermissions, _ rpId: String?, userPresent: Bool,
        _ secret: PINSharedSecret
    ) throws(CTAPStatus) -> [UInt8] {
        if permissions == .persistentCredentialManagementReadOnly {
            return try givePersistent(secret)
        }
        let token = PINUVAuthToken(secret.pinProtocol, random: random)
        session.token = AuthenticatorSession.Token(
            token: token, permissions: permissions, rpId: rpId, userPresent: userPresent,
            begun: clock.now)
        do { return try token.encrypted(with: secret, random: random) } catch { throw .other }
    }

    /// The persistent token is made once, and stays until the PIN changes or the key is reset.
    private func givePersistent(_ secret: PINSharedSecret) throws(CTAPStatus) -> [UInt8] {
        if state.persistentToken == nil {
            var bytes = random.bytes(PINUVAuthToken.length)
            let fresh = Secret(wiping: &bytes)
            try commit { $0.persistentToken = fresh }
        }
        guard let token = state.persistentToken else { throw .other }
        do { return try secret.encrypt(token, random: random) } catch { throw .other }
    }
}
