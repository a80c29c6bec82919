// SPDX-License-Identifier: Apache-2.0
import Crypto
import Primitives

/// Finding credentials, and the secrets that hmac-secret takes from them.
extension SoftwareAuthenticator {
    /// The keys that come from the credential key, which changes only with a reset, and with that
    /// the session does.
    var wrapping: CredentialWrapping {
        if let known = session.wrapping { return known }
        let derived = CredentialWrapping(state.credentialKey)
        session.wrapping = derived
        return derived
    }

    /// The credential of this id, when it is this key's and that relying party's.
    func credential(
        _ descriptor: CTAPCredentialDescriptor, rpIdHash: [UInt8]
    ) -> AuthenticatorCredential? {
        guard descriptor.type == CTAPCredentialDescriptor.publicKey else { return nil }
        let kept = state.credentials.first { $0.id == descriptor.id && $0.rpIdHash == rpIdHash }
        return kept
            ?? wrapping
            .credential(id: descriptor.id, rpIdHash: rpIdHash)
    }

    /// Salts that a client sent, decrypted, with the secret that the answer is encrypted under.
    struct SaltedSecrets {
        let shared: PINSharedSecret
        /// One or two, 32 bytes each.
        let salts: [Secret]
    }

    /// Opens the input of hmac-secret (CTAP 2.1 section 12.5).
    func salts(of input: HMACSecretInput) throws(CTAPStatus) -> SaltedSecrets {
        let number = try pinProtocol(input.pinUvAuthProtocol ?? PINProtocol.one.rawValue)
        let shared = try sharedSecret(with: input.keyAgreement, number)
        guard shared.verify(input.saltEnc, input.saltAuth) else { throw .pinAuthInvalid }
        guard let plaintext = try? shared.decrypt(input.saltEnc) else { throw .invalidLength }
        let salts: [Secret] = plaintext.withBytes { bytes in
            switch bytes.count {
            case 32: [Secret(bytes)]
            case 64: [Secret(bytes.prefix(32)), Secret(bytes.suffix(32))]
            default: []
            }
        }
        guard !salts.isEmpty else { throw .invalidLength }
        return SaltedSecrets(shared: shared, salts: salts)
    }

    /// HMAC of each salt under the credential's secret, encrypted.
    func saltedOutput(
        _ input: SaltedSecrets, of id: [UInt8], verified: Bool
    ) throws(CTAPStatus) -> [UInt8] {
        let key = wrapping.secret(of: id, verified: verified)
        var outputs = [UInt8](repeating: 0, count: 32 * input.salts.count)
        for (number, salt) in input.salts.enumerated() {
            let output = salt.withBytes { HMAC<SHA256>.authenticationCode(for: $0, using: key) }
            outputs.replaceSubrange(32 * number..<32 * (number + 1), with: Array(output))
        }
        do {
            return try input.shared.encrypt(Secret(wiping: &outputs), random: random)
        } catch { throw .other }
    }
}
