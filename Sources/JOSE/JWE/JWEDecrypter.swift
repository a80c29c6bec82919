// SPDX-License-Identifier: Apache-2.0
import Crypto
import CryptoExtras
import Primitives

/// Decrypts JWE with a key and algorithms that the caller pinned. Only this type makes a
/// ``DecryptedJWE``.
package struct JWEDecrypter: Sendable {
    private let key: JSONWebKey
    private let algorithms: [JWEAlgorithm]
    private let encryptions: [JWEEncryption]

    package init(
        key: JSONWebKey, algorithms: [JWEAlgorithm],
        encryptions: [JWEEncryption] = JWEEncryption.allCases
    ) {
        self.key = key
        self.algorithms = algorithms
        self.encryptions = encryptions
    }

    /// Decrypts. After the selection of algorithm and key, every error is `decryptionFailed`, so
    /// that the error does not reveal padding, key or tag (RFC 7516 section 11.5).
    ///
    /// - Throws: `algorithmUnsupported`, `algorithmNotAllowed`, `keyMismatch`, `keyNotPermitted`,
    ///   `decryptionFailed`.
    package func decrypt(_ jwe: UnverifiedJWE) throws(JOSEError) -> DecryptedJWE {
        guard let algorithm = JWEAlgorithm(exactly: jwe.header.algorithm) else {
            throw JOSEError(.algorithmUnsupported, "no such key management here")
        }
        guard algorithms.contains(algorithm), encryptions.contains(jwe.encryption) else {
            throw JOSEError(.algorithmNotAllowed, "the algorithm is not pinned")
        }
        try checkPermission(algorithm, jwe.encryption)
        // If the content key cannot be unwrapped, a random key replaces it: the check of the tag
        // then fails, as for a wrong key.
        let size = SymmetricKeySize(bitCount: jwe.encryption.keyBytes * 8)
        let fallback = SymmetricKey(size: size).withUnsafeBytes { Array($0) }
        let unwrapped = try? contentKey(jwe, algorithm)
        let sealed = ContentCipher.Sealed(
            initializationVector: jwe.initializationVector, ciphertext: jwe.ciphertext,
            tag: jwe.tag)
        let contentKey = unwrapped?.count == jwe.encryption.keyBytes ? unwrapped : nil
        guard
            let plaintext = ContentCipher.open(
                sealed, by: jwe.encryption, key: contentKey ?? fallback,
                authenticated: jwe.authenticated)
        else { throw JOSEError(.decryptionFailed, "decryption failed") }
        return DecryptedJWE(header: jwe.header, plaintext: plaintext)
    }

    private func checkPermission(
        _ algorithm: JWEAlgorithm, _ encryption: JWEEncryption
    ) throws(JOSEError) {
        let fits =
            switch key {
            case .symmetricKey(let shared):
                algorithm == .direct
                    ? shared.key.reveal().count == encryption.keyBytes
                    : algorithm.isSymmetric
                        && shared.key.reveal().count == algorithm.wrappingKeyBytes
            case .privateKey(let pair): algorithm.fits(pair.publicKey.material)
            case .publicKey: false
            }
        guard fits else {
            throw JOSEError(.keyMismatch, "the key is of another kind than the algorithm")
        }
        let operations = ["decrypt", "unwrapKey", "deriveKey", "deriveBits"]
        guard key.parameters.permits(use: "enc", operations: operations),
            algorithm.isNamed(by: key.parameters, with: encryption)
        else { throw JOSEError(.keyNotPermitted, "the key is not for decrypting with that") }
    }

    private func contentKey(_ jwe: UnverifiedJWE, _ algorithm: JWEAlgorithm) throws -> [UInt8] {
        switch key {
        case .symmetricKey(let shared):
            if algorithm == .direct { return try direct(shared.key.reveal(), jwe) }
            return try unwrap(jwe, with: shared.key.reveal())
        case .privateKey(let pair) where algorithm.isAgreement:
            let agreed = try agree(jwe, algorithm, pair)
            return algorithm == .ecdhES
                ? try direct(agreed, jwe) : try unwrap(jwe, with: agreed)
        case .privateKey(let pair): return try decryptOAEP(jwe, algorithm, pair)
        case .publicKey: throw Self.failed
        }
    }

    /// RFC 7516 section 5.2 step 10: with a direct or directly agreed key, the encrypted key is
    /// empty.
    private func direct(_ key: [UInt8], _ jwe: UnverifiedJWE) throws -> [UInt8] {
        guard jwe.encryptedKey.isEmpty else { throw Self.failed }
        return key
    }

    private func unwrap(_ jwe: UnverifiedJWE, with wrapping: [UInt8]) throws -> [UInt8] {
        guard jwe.encryptedKey.count == jwe.encryption.keyBytes + 8 else { throw Self.failed }
        let key = try AES.KeyWrap.unwrap(
            jwe.encryptedKey, using: SymmetricKey(data: wrapping))
        return key.withUnsafeBytes { Array($0) }
    }

    private func agree(
        _ jwe: UnverifiedJWE, _ algorithm: JWEAlgorithm, _ pair: PrivateJWK
    ) throws -> [UInt8] {
        guard let epk = jwe.agreementParameter("epk")?.object,
            case .publicKey(let ephemeral) = try JSONWebKey(epk)
        else { throw Self.failed }
        return ConcatKDF.derive(
            sharedSecret: try KeyAgreement.sharedSecret(pair, ephemeral),
            algorithmID: algorithm == .ecdhES ? jwe.encryption.rawValue : algorithm.rawValue,
            apu: try partyInfo("apu", jwe), apv: try partyInfo("apv", jwe),
            length: algorithm.wrappingKeyBytes ?? jwe.encryption.keyBytes)
    }

    private func partyInfo(_ name: String, _ jwe: UnverifiedJWE) throws -> [UInt8] {
        guard let value = jwe.agreementParameter(name) else { return [] }
        guard let bytes = value.string.flatMap({ Base64URL.decode($0) }) else {
            throw Self.failed
        }
        return bytes
    }

    private func decryptOAEP(
        _ jwe: UnverifiedJWE, _ algorithm: JWEAlgorithm, _ pair: PrivateJWK
    ) throws -> [UInt8] {
        guard case .rsa(let n, let e) = pair.publicKey.material,
            case .rsa(let d, let p, let q) = pair.material
        else { throw Self.failed }
        let key = try _RSA.Encryption.PrivateKey(
            n: n, e: e, d: d.reveal(), p: p.reveal(), q: q.reveal())
        let padding: _RSA.Encryption.Padding =
            algorithm == .rsaOAEP256 ? .PKCS1_OAEP_SHA256 : .PKCS1_OAEP
        return Array(try key.decrypt(jwe.encryptedKey, padding: padding))
    }

    private static var failed: JOSEError { JOSEError(.decryptionFailed, "decryption failed") }
}

extension JWEAlgorithm {
    /// Whether the key permits this algorithm: its `alg` is missing, or names it. The `alg` of a
    /// key for direct use may name the content encryption instead.
    func isNamed(by parameters: KeyParameters, with encryption: JWEEncryption) -> Bool {
        guard let name = parameters.algorithm else { return true }
        if JWEAlgorithm(exactly: name) == self { return true }
        return self == .direct && JWEEncryption(exactly: name) == encryption
    }
}

/// A decrypted JWE. Its sender is not authenticated.
package struct DecryptedJWE: Sendable {
    package let header: JOSEHeader
    package let plaintext: [UInt8]

    fileprivate init(header: JOSEHeader, plaintext: [UInt8]) {
        self.header = header
        self.plaintext = plaintext
    }
}
