// SPDX-License-Identifier: Apache-2.0
import COpenSSL

/// RSAES-OAEP with SHA-256 and a label (RFC 8017 section 7.1.1), by the system's libcrypto:
/// swift-crypto has no labels.
enum OAEPEncryption {
    /// - Parameters:
    ///   - key: DER of `SubjectPublicKeyInfo`, of an RSA key.
    ///   - label: not empty.
    /// - Returns: `nil` for another key, or a message that is too long for it.
    static func encrypt(_ message: [UInt8], to key: [UInt8], label: [UInt8]) -> [UInt8]? {
        // Errors that stay in the thread's queue are read by other users of the library.
        defer { ERR_clear_error() }
        guard let key = publicKey(key) else { return nil }
        defer { EVP_PKEY_free(key) }
        guard let context = EVP_PKEY_CTX_new(key, nil) else { return nil }
        defer { EVP_PKEY_CTX_free(context) }
        // The hash of MGF1 is that of the scheme.
        guard EVP_PKEY_encrypt_init(context) == 1,
            EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_OAEP_PADDING) == 1,
            EVP_PKEY_CTX_set_rsa_oaep_md(context, EVP_sha256()) == 1, set(label, in: context)
        else { return nil }
        var count = 0
        guard EVP_PKEY_encrypt(context, nil, &count, message, message.count) == 1 else {
            return nil
        }
        var sealed = [UInt8](repeating: 0, count: count)
        guard EVP_PKEY_encrypt(context, &sealed, &count, message, message.count) == 1 else {
            return nil
        }
        return Array(sealed.prefix(count))
    }

    private static func publicKey(_ der: [UInt8]) -> OpaquePointer? {
        der.withUnsafeBufferPointer { bytes in
            var next = bytes.baseAddress
            return d2i_PUBKEY(nil, &next, bytes.count)
        }
    }

    /// The context frees the label, so it gets a copy of OpenSSL's making.
    private static func set(_ label: [UInt8], in context: OpaquePointer) -> Bool {
        guard let copy = CRYPTO_memdup(label, label.count, nil, 0) else { return false }
        guard EVP_PKEY_CTX_set0_rsa_oaep_label(context, copy, CInt(label.count)) == 1 else {
            CRYPTO_free(copy, nil, 0)
            return false
        }
        return true
    }
}
