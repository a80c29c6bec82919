// SPDX-License-Identifier: Apache-2.0
import Crypto
import CryptoExtras
import Primitives

/// Content encryption (RFC 7518 section 5): AES-GCM, and AES-CBC with HMAC.
enum ContentCipher {
    struct Sealed {
        var initializationVector: [UInt8]
        var ciphertext: [UInt8]
        var tag: [UInt8]
    }

    /// Returns the plaintext, or `nil` for every error, independent of its cause.
    static func open(
        _ sealed: Sealed, by encryption: JWEEncryption, key: [UInt8], authenticated: [UInt8]
    ) -> [UInt8]? {
        guard key.count == encryption.keyBytes,
            sealed.initializationVector.count == encryption.initializationVectorBytes,
            sealed.tag.count == encryption.tagBytes
        else { return nil }
        guard encryption.isCBC else {
            return try? openGCM(sealed, key: key, authenticated: authenticated)
        }
        let expected = authenticationTag(
            sealed, by: encryption, key: key, authenticated: authenticated)
        guard ConstantTime.equal(expected, sealed.tag) else { return nil }
        let cipherKey = SymmetricKey(data: key.suffix(encryption.keyBytes / 2))
        return try? Array(
            AES._CBC.decrypt(
                sealed.ciphertext, using: cipherKey,
                iv: AES._CBC.IV(ivBytes: sealed.initializationVector)))
    }

    static func seal(
        _ plaintext: [UInt8], by encryption: JWEEncryption, key: [UInt8], authenticated: [UInt8],
        initializationVector: [UInt8]
    ) throws -> Sealed {
        guard encryption.isCBC else {
            let box = try AES.GCM.seal(
                plaintext, using: SymmetricKey(data: key),
                nonce: AES.GCM.Nonce(data: initializationVector), authenticating: authenticated)
            return Sealed(
                initializationVector: initializationVector, ciphertext: Array(box.ciphertext),
                tag: Array(box.tag))
        }
        let cipherKey = SymmetricKey(data: key.suffix(encryption.keyBytes / 2))
        let ciphertext = try AES._CBC.encrypt(
            plaintext, using: cipherKey, iv: AES._CBC.IV(ivBytes: initializationVector))
        var sealed = Sealed(
            initializationVector: initializationVector, ciphertext: Array(ciphertext), tag: [])
        sealed.tag = authenticationTag(
            sealed, by: encryption, key: key, authenticated: authenticated)
        return sealed
    }

    private static func openGCM(
        _ sealed: Sealed, key: [UInt8], authenticated: [UInt8]
    ) throws -> [UInt8] {
        let box = try AES.GCM.SealedBox(
            nonce: AES.GCM.Nonce(data: sealed.initializationVector),
            ciphertext: sealed.ciphertext, tag: sealed.tag)
        return Array(
            try AES.GCM.open(box, using: SymmetricKey(data: key), authenticating: authenticated))
    }

    /// Section 5.2.2.1: HMAC over data, vector, ciphertext and the bit length of the data.
    private static func authenticationTag(
        _ sealed: Sealed, by encryption: JWEEncryption, key: [UInt8], authenticated: [UInt8]
    ) -> [UInt8] {
        let bitLength = UInt64(authenticated.count) * 8
        var input = authenticated + sealed.initializationVector + sealed.ciphertext
        input += withUnsafeBytes(of: bitLength.bigEndian) { Array($0) }
        let macKey = SymmetricKey(data: key.prefix(encryption.keyBytes / 2))
        let tag: [UInt8] =
            switch encryption {
            case .a256CBCHS512: Array(HMAC<SHA512>.authenticationCode(for: input, using: macKey))
            case .a192CBCHS384: Array(HMAC<SHA384>.authenticationCode(for: input, using: macKey))
            default: Array(HMAC<SHA256>.authenticationCode(for: input, using: macKey))
            }
        return Array(tag.prefix(encryption.tagBytes))
    }
}
