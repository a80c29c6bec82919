// SPDX-License-Identifier: Apache-2.0
package import Primitives

extension SecurityKey {
    /// Gives a key its first PIN (CTAP 2.2 section 6.5.5.5).
    package func setPIN(
        _ text: String, random: any RandomSource
    ) async throws(SecurityKeyError) {
        let pin = try newPIN(text)
        let agreement = try await PINAgreement(with: self, random: random)
        var request = agreement.completed(ClientPINRequest(.setPIN))
        let encrypted = try agreement.encrypt(pin.padded)
        request.newPinEnc = encrypted
        request.pinUvAuthParam = agreement.secret.authenticate(encrypted)
        _ = try await send(.clientPIN(request))
        try await refreshInfo()
    }

    /// Replaces the PIN (CTAP 2.2 section 6.5.5.6).
    package func changePIN(
        from current: String, to text: String, random: any RandomSource
    ) async throws(SecurityKeyError) {
        let pin = try newPIN(text)
        let old = try UserVerification.pin(current)
        let agreement = try await PINAgreement(with: self, random: random)
        var request = agreement.completed(ClientPINRequest(.changePIN))
        let newEncrypted = try agreement.encrypt(pin.padded)
        let hashEncrypted = try agreement.encrypt(old.hash)
        request.newPinEnc = newEncrypted
        request.pinHashEnc = hashEncrypted
        request.pinUvAuthParam = agreement.secret.authenticate(newEncrypted + hashEncrypted)
        do { _ = try await send(.clientPIN(request)) } catch {
            guard case .wrongPIN = error else { throw error }
            throw .wrongPIN(triesLeft: try await pinTriesLeft())
        }
        try await refreshInfo()
    }

    /// Returns the remaining PIN attempts before the key blocks; `nil` if the key does not report
    /// them.
    package func pinTriesLeft() async throws(SecurityKeyError) -> Int? {
        let reply = try await send(.clientPIN(ClientPINRequest(.getPINRetries)))
        return try Self.read { () throws(CTAPMessageError) in
            try ClientPINResponse(cbor: reply).pinRetries
        }
    }

    private func newPIN(_ text: String) throws(SecurityKeyError) -> ClientPIN {
        let info = try requireInfo()
        guard info.canHavePIN else { throw .unsupported("a PIN") }
        let pin = try UserVerification.pin(text)
        let minimum = info.minPINLength ?? ClientPIN.leastCodePoints
        guard pin.codePoints >= minimum else { throw .pinTooShort(minimum: minimum) }
        return pin
    }
}
