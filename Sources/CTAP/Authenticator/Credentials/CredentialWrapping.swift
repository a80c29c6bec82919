// SPDX-License-Identifier: Apache-2.0
import Crypto
import Primitives

/// The encoding of credentials that are not stored: the credential id contains the private key,
/// encrypted under a key of the store and bound to the relying party. A reset replaces the store's
/// key, and so invalidates all these credentials.
///
///     id = nonce (12) ‖ AES-256-GCM(form 1 ‖ algorithm ‖ protection ‖ flags ‖ private key) ‖ tag (16)
///
/// For a key in hardware, the private key is the handle that the hardware returned.
struct CredentialWrapping {
    private let wrappingKey: SymmetricKey
    private let secretKey: SymmetricKey

    private static let form: UInt8 = 1
    private static let overhead = 12 + 16
    private static let paymentFlag: UInt8 = 1
    private static let hardwareFlag: UInt8 = 2

    init(_ credentialKey: Secret) {
        func derived(_ purpose: String) -> SymmetricKey {
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: credentialKey.withBytes { SymmetricKey(data: $0) },
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
        let flags =
            (credential.thirdPartyPayment ? Self.paymentFlag : 0)
            | (credential.key.isInHardware ? Self.hardwareFlag : 0)
        let head = [Self.form, UInt8(algorithm), credential.protection.rawValue, flags]
        var bytes = credential.key.raw.withBytes { head + $0 }
        let plaintext = Secret(wiping: &bytes)
        do {
            let sealed = try plaintext.withBytes { plaintext in
                try AES.GCM.seal(
                    plaintext, using: wrappingKey, nonce: AES.GCM.Nonce(data: random.bytes(12)),
                    authenticating: credential.rpIdHash)
            }
            return Array(sealed.nonce) + Array(sealed.ciphertext) + Array(sealed.tag)
        } catch { throw .other }
    }

    /// The credential that `id` holds, when this key made it for that relying party.
    func credential(id: [UInt8], rpIdHash: [UInt8]) -> AuthenticatorCredential? {
        guard id.count > Self.overhead + 4,
            let box = try? AES.GCM.SealedBox(combined: id),
            var plaintext = try? AES.GCM.open(box, using: wrappingKey, authenticating: rpIdHash)
        else { return nil }
        return Secret(wiping: &plaintext).withBytes { content in
            guard content.count > 4, content[0] == Self.form,
                let protection = CredentialProtection(rawValue: content[2]),
                let key = Self.key(content)
            else { return nil }
            return AuthenticatorCredential(
                id: id, rpIdHash: rpIdHash, key: key, protection: protection,
                thirdPartyPayment: content[3] & Self.paymentFlag != 0)
        }
    }

    private static func key(_ content: UnsafeBufferPointer<UInt8>) -> CredentialPrivateKey? {
        let raw = content.dropFirst(4)
        if content[3] & hardwareFlag != 0 { return HardwareKey(encoded: raw).map { .hardware($0) } }
        let number = Int(content[1])
        guard number < CredentialPrivateKey.algorithms.count else { return nil }
        return CredentialPrivateKey(CredentialPrivateKey.algorithms[number], raw: Secret(raw))
    }

    /// `CredRandomWithUV` or `CredRandomWithoutUV` of a credential (CTAP 2.1 section 12.5).
    func secret(of id: [UInt8], verified: Bool) -> SymmetricKey {
        let label: [UInt8] = [verified ? 1 : 0]
        return SymmetricKey(
            data: HMAC<SHA256>.authenticationCode(for: label + id, using: secretKey))
    }
}
