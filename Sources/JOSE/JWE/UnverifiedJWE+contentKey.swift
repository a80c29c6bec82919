// SPDX-License-Identifier: Apache-2.0

extension UnverifiedJWE {
    /// Opens content whose key the caller derived itself: for agreement keys that never leave
    /// their hardware, and for party information that the message may leave out.
    ///
    /// - Throws: `decryptionFailed`, whatever the cause; also when the message carries an encrypted
    ///   key (RFC 7516 section 5.2 step 10).
    package func open(contentKey: [UInt8]) throws(JOSEError) -> [UInt8] {
        let sealed = ContentCipher.Sealed(
            initializationVector: initializationVector, ciphertext: ciphertext, tag: tag)
        guard encryptedKey.isEmpty,
            let plaintext = ContentCipher.open(
                sealed, by: encryption, key: contentKey, authenticated: authenticated)
        else { throw JOSEError(.decryptionFailed, "decryption failed") }
        return plaintext
    }

    /// Whether the content is encrypted in that way.
    package func isEncrypted(by expected: JWEEncryption) -> Bool { encryption == expected }
}
