// SPDX-License-Identifier: Apache-2.0
import Crypto
import Primitives

/// Finding credentials, and the secrets that hmac-secret takes from them.
extension SoftwareAuthenticator {
    /// The credential of this id, when it is this key's and that relying party's.
    func credential(
        _ descriptor: CTAPCredentialDescriptor, rpIdHash: [UInt8]
    ) -> AuthenticatorCredential? {
        guard descriptor.type == CTAPCredentialDescriptor.publicKey else { return nil }
        let kept = state.credentials.first { $0.id == descriptor.id && $0.rpIdHash == rpIdHash }
        return kept
            ?? CredentialWrapping(state.credentialKey)
            .credential(id: descriptor.id, rpIdHash: rpIdHash)
    }

    /// Salts that a client sent, decrypted, with the secret that the answer is encrypted under.
    struct SaltedSecrets {
        let shared: PINSharedSecret
        /// One or two, 32 bytes each.
        let salts: [[UInt8]]
    }

    /// Opens the input of hmac-secret (CTAP 2.1 section 12.5).
    func salts(of input: HMACSecretInput) throws(CTAPStatus) -> SaltedSecrets {
        let number = try pinProtocol(input.pinUvAuthProtocol ?? PINProtocol.one.rawValue)
        let shared = try sharedSecret(with: input.keyAgreement, number)
        guard shared.verify(input.saltEnc, input.saltAuth) else { throw .pinAuthInvalid }
        guard let salts = try? shared.decrypt(input.saltEnc), [32, 64].contains(salts.count) else {
            throw .invalidLength
        }
        let first = Array(salts.prefix(32))
        return SaltedSecrets(
            shared: shared,
            salts: salts.count == 32 ? [first] : [first, Array(salts.suffix(32))])
    }

    /// HMAC of each salt under the credential's secret, encrypted.
    func saltedOutput(
        _ input: SaltedSecrets, of id: [UInt8], verified: Bool
    ) throws(CTAPStatus) -> [UInt8] {
        let key = CredentialWrapping(state.credentialKey).secret(of: id, verified: verified)
        let outputs = input.salts.flatMap {
            Array(HMAC<SHA256>.authenticationCode(for: $0, using: key))
        }
        do { return try input.shared.encrypt(outputs, random: random) } catch { throw .other }
    }
}
