// SPDX-License-Identifier: Apache-2.0
import Primitives

/// Issues tokens (CTAP 2.1 section 6.5.5.7).
struct PINTokenIssuer {
    let permissions: PINPermissions
    let rpId: String?
    let userPresent: Bool

    /// Returns a new token, encrypted under `secret`. It replaces the previous token.
    func issue(
        _ secret: PINSharedSecret, _ machine: inout AuthenticatorMachine
    ) throws(CTAPStatus) -> [UInt8] {
        if permissions == .persistentCredentialManagementReadOnly {
            return try Self.issuePersistent(secret, &machine)
        }
        let token = PINUVAuthToken(secret.pinProtocol, random: machine.random)
        machine.session.token = AuthenticatorSession.Token(
            token: token, permissions: permissions, rpId: rpId, userPresent: userPresent,
            begun: machine.now)
        do { return try token.encrypted(with: secret, random: machine.random) } catch {
            throw .other
        }
    }

    /// Returns the persistent token. It is created once, and exists until the PIN changes or the
    /// key is reset.
    private static func issuePersistent(
        _ secret: PINSharedSecret, _ machine: inout AuthenticatorMachine
    ) throws(CTAPStatus) -> [UInt8] {
        if machine.state.persistentToken == nil {
            var bytes = machine.random.bytes(PINUVAuthToken.length)
            let token = Secret(wiping: &bytes)
            try machine.commit { $0.persistentToken = token }
        }
        guard let token = machine.state.persistentToken else { throw .other }
        do { return try secret.encrypt(token, random: machine.random) } catch { throw .other }
    }
}

extension PINPermissions {
    /// The permissions that a client requests, if the key can issue them.
    init(
        requestedBy request: ClientPINRequest, _ configuration: AuthenticatorConfiguration
    ) throws(CTAPStatus) {
        guard let number = request.permissions else { throw .missingParameter }
        self.init(rawValue: number)
        guard !isEmpty else { throw .invalidParameter }
        if contains(.bioEnrollment), configuration.verification != .fingerprint {
            throw .unauthorizedPermission
        }
        if contains(.persistentCredentialManagementReadOnly),
            self != .persistentCredentialManagementReadOnly
        {
            throw .unauthorizedPermission
        }
        if !isDisjoint(with: .needRelyingParty), request.rpId == nil { throw .missingParameter }
    }
}
