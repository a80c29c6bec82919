// SPDX-License-Identifier: Apache-2.0
import Primitives

/// PIN verification (CTAP 2.1 section 6.5.5.7.1, steps 5 to 8).
extension AuthenticatorMachine {
    /// Compares a PIN with the stored one. The attempt is subtracted, durably, before the
    /// comparison, so that a loss of power does not restore it.
    ///
    /// - Throws: `pinBlocked`, `pinAuthBlocked` or `pinInvalid`.
    mutating func verifyPIN(
        _ encryptedHash: [UInt8], _ secret: PINSharedSecret
    ) throws(CTAPStatus) {
        guard let pin = state.pin else { throw .pinNotSet }
        guard state.pinRetries > 0 else { throw .pinBlocked }
        guard !session.pinIsBlocked else { throw .pinAuthBlocked }
        try commit { $0.pinRetries -= 1 }
        guard let hash = try? secret.decrypt(encryptedHash), pin.hash == hash else {
            throw recordWrongPIN()
        }
        session.wrongPINs = 0
        try commit {
            $0.pinRetries = AuthenticatorState.maximumPINRetries
            $0.verificationRetries = AuthenticatorState.maximumVerificationRetries
        }
    }

    /// Counts a wrong PIN, and replaces the key agreement key.
    private mutating func recordWrongPIN() -> CTAPStatus {
        session.keyAgreement = PINKeyAgreement(random: random)
        session.wrongPINs += 1
        if state.pinRetries == 0 { return .pinBlocked }
        return session.pinIsBlocked ? .pinAuthBlocked : .pinInvalid
    }
}
