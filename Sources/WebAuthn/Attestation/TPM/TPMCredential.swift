// SPDX-License-Identifier: Apache-2.0
import Crypto
import CryptoExtras

/// A secret that only one TPM releases, and only while it has a certain key.
///
/// It is made as `TPM2_MakeCredential` does, without a TPM, and `TPM2_ActivateCredential` decrypts
/// it (TPM 2.0 Library Part 1, section 24).
package struct TPMCredential: Sendable, Equatable {
    /// `TPMS_ID_OBJECT`: the contents of `TPM2B_ID_OBJECT`.
    package let blob: [UInt8]
    /// The contents of `TPM2B_ENCRYPTED_SECRET`.
    package let encryptedSecret: [UInt8]

    /// The maximum length of the secret with a SHA-256 name, in bytes.
    package static let maximumSecretBytes = 32

    private static let hashBits = 256
    private static let cipherBits = 128

    /// - Parameters:
    ///   - secret: 1 to 32 bytes.
    ///   - name: Of the key that the TPM must have.
    ///   - endorsementKey: With SHA-256 for its name and AES-128-CFB, as
    ///     ``TPMPublicArea/isStorageKey`` requires.
    /// - Throws: ``TPMStructureError/unsupported(_:)`` for other keys, and for secrets that do not
    ///   fit.
    package init(
        _ secret: [UInt8], for name: [UInt8], to endorsementKey: TPMPublicArea
    ) throws(TPMStructureError) {
        guard 1...Self.maximumSecretBytes ~= secret.count else { throw .tooLong }
        guard endorsementKey.isStorageKey, let shared = SharedSeed(endorsementKey) else {
            throw .unsupported("endorsement key")
        }
        let key = Self.derive(shared.seed, "STORAGE", name, bits: Self.cipherBits)
        guard let zero = try? AES._CFB.IV(ivBytes: [UInt8](repeating: 0, count: 16)),
            let sealed = try? AES._CFB.encrypt(TPMBytes.sized(secret), using: key, iv: zero)
        else { throw .unsupported("cipher") }
        let code = HMAC<SHA256>.authenticationCode(
            for: Array(sealed) + name,
            using: Self.derive(shared.seed, "INTEGRITY", [], bits: Self.hashBits))
        blob = TPMBytes.sized(Array(code)) + Array(sealed)
        encryptedSecret = shared.encrypted
    }

    /// `KDFa` (Part 1, section 11.4.10.2) for one block of SHA-256.
    private static func derive(
        _ seed: SymmetricKey, _ label: String, _ context: [UInt8], bits: Int
    ) -> SymmetricKey {
        let message =
            TPMBytes.be32(1) + Array(label.utf8) + [0] + context + TPMBytes.be32(UInt32(bits))
        let code = HMAC<SHA256>.authenticationCode(for: message, using: seed)
        return SymmetricKey(data: Array(code).prefix(bits / 8))
    }
}

/// The seed that is shared with a TPM (Part 1, annexes B.10.4 and C.6.1).
private struct SharedSeed {
    let seed: SymmetricKey
    let encrypted: [UInt8]

    /// Both annexes include the terminating zero.
    private static let label = Array("IDENTITY".utf8) + [0]

    init?(_ key: TPMPublicArea) {
        switch KeyMaterial(key.key) {
        case .rsa(let key):
            let seed = SymmetricKey(size: .bits256)
            guard
                let sealed = OAEPEncryption.encrypt(
                    seed.withUnsafeBytes { Array($0) }, to: Array(key.derRepresentation),
                    label: Self.label)
            else { return nil }
            (self.seed, encrypted) = (seed, sealed)
        case .p256(let key):
            let once = P256.KeyAgreement.PrivateKey()
            guard
                let other = try? P256.KeyAgreement.PublicKey(
                    x963Representation: key.x963Representation),
                let shared = try? once.sharedSecretFromKeyAgreement(with: other)
            else { return nil }
            let own = Array(once.publicKey.rawRepresentation)
            // `KDFe` (Part 1, section 11.4.10.3), one block.
            var hash = SHA256()
            hash.update(data: TPMBytes.be32(1))
            shared.withUnsafeBytes { hash.update(bufferPointer: $0) }
            hash.update(data: Self.label + own.prefix(32))
            hash.update(data: key.rawRepresentation.prefix(32))
            seed = SymmetricKey(data: hash.finalize())
            encrypted =
                TPMBytes.sized(Array(own.prefix(32))) + TPMBytes.sized(Array(own.suffix(32)))
        default: return nil
        }
    }
}

/// Numbers and counted byte strings as a TPM writes them.
private enum TPMBytes {
    static func be32(_ number: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
    }

    static func sized(_ bytes: [UInt8]) -> [UInt8] {
        [UInt8(truncatingIfNeeded: bytes.count >> 8), UInt8(truncatingIfNeeded: bytes.count)]
            + bytes
    }
}
