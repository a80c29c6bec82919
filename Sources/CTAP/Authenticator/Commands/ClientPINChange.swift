// SPDX-License-Identifier: Apache-2.0
import Primitives

/// The subcommands setPIN and changePIN (CTAP 2.1 sections 6.5.5.5 and 6.5.5.6).
struct ClientPINChange {
    private let request: ClientPINRequest

    init(_ request: ClientPINRequest) { self.request = request }

    func set(_ machine: inout AuthenticatorMachine) throws(CTAPStatus) {
        let number = try PINProtocol(requested: request.pinUvAuthProtocol)
        guard let key = request.keyAgreement, let encrypted = request.newPinEnc,
            let parameter = request.pinUvAuthParam
        else { throw .missingParameter }
        guard machine.state.pin == nil else { throw .pinAuthInvalid }
        let secret = try machine.sharedSecret(with: key, number)
        guard secret.verify(encrypted, parameter) else { throw .pinAuthInvalid }
        try Self.save(try Self.newPIN(encrypted, secret, machine), &machine)
    }

    func change(_ machine: inout AuthenticatorMachine) throws(CTAPStatus) {
        let number = try PINProtocol(requested: request.pinUvAuthProtocol)
        guard let key = request.keyAgreement, let encrypted = request.newPinEnc,
            let hash = request.pinHashEnc, let parameter = request.pinUvAuthParam
        else { throw .missingParameter }
        guard let current = machine.state.pin else { throw .pinNotSet }
        guard machine.state.pinRetries > 0 else { throw .pinBlocked }
        let secret = try machine.sharedSecret(with: key, number)
        guard secret.verify(encrypted + hash, parameter) else { throw .pinAuthInvalid }
        try machine.verifyPIN(hash, secret)
        let pin = try Self.newPIN(encrypted, secret, machine)
        if machine.state.forcesPINChange, pin.hash == current.hash { throw .pinPolicyViolation }
        try Self.save(pin, &machine)
    }

    private static func newPIN(
        _ encrypted: [UInt8], _ secret: PINSharedSecret, _ machine: AuthenticatorMachine
    ) throws(CTAPStatus) -> ClientPIN {
        guard
            encrypted.count == ClientPIN.paddedLength + secret.pinProtocol.encryptionOverhead,
            let padded = try? secret.decrypt(encrypted)
        else { throw .invalidParameter }
        guard let pin = ClientPIN(padded: padded),
            pin.codePoints >= machine.state.minimumPINLength
        else { throw .pinPolicyViolation }
        return pin
    }

    /// Saves a PIN with the full number of attempts, and revokes all tokens of the previous one.
    private static func save(
        _ pin: ClientPIN, _ machine: inout AuthenticatorMachine
    ) throws(CTAPStatus) {
        try machine.commit {
            $0.pin = AuthenticatorState.StoredPIN(hash: pin.hash, codePoints: pin.codePoints)
            $0.pinRetries = AuthenticatorState.maximumPINRetries
            $0.verificationRetries = AuthenticatorState.maximumVerificationRetries
            $0.forcesPINChange = false
            $0.persistentToken = nil
        }
        machine.session.token = nil
        machine.session.wrongPINs = 0
    }
}
