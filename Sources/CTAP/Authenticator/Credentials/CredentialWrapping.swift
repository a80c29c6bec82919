// SPDX-License-Identifier: Apache-2.0
import Crypto
import Primitives
import WebAuthn

/// Credentials that are kept nowhere but in their own id: the private key, encrypted under a key
/// of the store and bound to the relying party. A reset replaces the store's key, and with it goes
/// every such credential.
///
///     id = nonce (12) ‖ AES-256-GCM(form 1 ‖ algorithm ‖ protection ‖ flags ‖ private key) ‖ tag (16)
struct CredentialWrapping {
    private let wrappingKey: SymmetricKey
    private let secretKey: SymmetricKey

    private static let form: UInt8 = 1
    private static let overhead = 12 + 16
    private static let paymentFlag: UInt8 = 1

    init(_ credentialKey: Secret) {
        func derived(_ purpose: String) -> SymmetricKey {
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: SymmetricKey(data: credentialKey.reveal()),
                info: Array("gatehouse \(purpose)".utf8), outputByteCount: 32)
        }
        wrappingKey = derived("credential id")
        secretKey = derived("credential secret")
    }

    /// The id that holds the credential; the one it has is ignored.
    func id(
        for credential: AuthenticatorCredential, random: some RandomSource
    ) throws(CTAPStatus) -> [UInt8] {
        guard
            let algorithm = CredentialPrivateKey.algorithms.firstIndex(
                of: credential.key.algorithm)
        else { throw .unsupportedAlgorithm }
        let flags = credential.thirdPartyPayment ? Self.paymentFlag : 0
        let plaintext =
            [Self.form, UInt8(algorithm), credential.protection.rawValue, flags]
            + credential.key.raw
        do {
            let sealed = try AES.GCM.seal(
                plaintext, using: wrappingKey, nonce: AES.GCM.Nonce(data: random.bytes(12)),
                authenticating: credential.rpIdHash)
            return Array(sealed.nonce) + Array(sealed.ciphertext) + Array(sealed.tag)
        } catch { throw .other }
    }

    /// The credential that `id` holds, when this key made it for that relying party.
    func credential(id: [UInt8], rpIdHash: [UInt8]) -> AuthenticatorCredential? {
        guard id.count > Self.overhead + 4,
            let box = try? AES.GCM.SealedBox(combined: id),
            let plaintext = try? AES.GCM.open(box, using: wrappingKey, authenticating: rpIdHash),
            plaintext.count > 4
        else { return nil }
        let content = Array(plaintext)
        let number = Int(content[1])
        guard content[0] == Self.form, number < CredentialPrivateKey.algorithms.count,
            let protection = CredentialProtection(rawValue: content[2]),
            let key = CredentialPrivateKey(
                CredentialPrivateKey.algorithms[number], raw: content.dropFirst(4))
        else { return nil }
        return AuthenticatorCredential(
            id: id, rpIdHash: rpIdHash, key: key, protection: protection,
            thirdPartyPayment: content[3] & Self.paymentFlag != 0)
    }

    /// `CredRandomWithUV` or `CredRandomWithoutUV` of a credential (CTAP 2.1 section 12.5).
    func secret(of id: [UInt8], verified: Bool) -> SymmetricKey {
        let label: [UInt8] = [verified ? 1 : 0]
        return SymmetricKey(
            data: HMAC<SHA256>.authenticationCode(for: label + id, using: secretKey))
    }
}
