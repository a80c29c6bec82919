// SPDX-License-Identifier: Apache-2.0
import COpenSSL

/// A public key on a curve that swift-crypto does not have, verified by the system's libcrypto.
///
/// What is kept is the encoded key, not OpenSSL's object: the value can then go to any thread, and
/// nothing has to be freed. Making the object costs a few microseconds beside a verification.
struct OpenSSLPublicKey: Sendable, Equatable {
    /// `SubjectPublicKeyInfo`, DER.
    private let encoded: [UInt8]
    /// Whether a SHA-256 hash is signed, or else the message itself.
    private let signsHash: Bool

    /// `nil` when the point is not on the curve. (RFC 5480 with the curve of SEC 2 section 2.4.1.)
    static func secp256k1(x: ArraySlice<UInt8>, y: ArraySlice<UInt8>) -> OpenSSLPublicKey? {
        let header: [UInt8] = [
            0x30, 0x56, 0x30, 0x10, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06,
            0x05, 0x2B, 0x81, 0x04, 0x00, 0x0A, 0x03, 0x42, 0x00, 0x04,
        ]
        return OpenSSLPublicKey(header + x + y, signsHash: true)
    }

    /// RFC 8410 section 4. Does not check that the point is on the curve.
    static func ed448(_ point: [UInt8]) -> OpenSSLPublicKey? {
        let header: [UInt8] = [
            0x30, 0x43, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x71, 0x03, 0x3A, 0x00,
        ]
        return OpenSSLPublicKey(header + point, signsHash: false)
    }

    private init?(_ encoded: [UInt8], signsHash: Bool) {
        self.encoded = encoded
        self.signsHash = signsHash
        guard withKey({ _ in true }) == true else { return nil }
    }

    func isValid(signature: ArraySlice<UInt8>, over message: [UInt8]) -> Bool {
        let isValid = withKey { key in
            guard let context = EVP_MD_CTX_new() else { return false }
            defer { EVP_MD_CTX_free(context) }
            let digest = signsHash ? EVP_sha256() : nil
            guard EVP_DigestVerifyInit(context, nil, digest, nil, key) == 1 else { return false }
            return signature.withUnsafeBufferPointer { signature in
                message.withUnsafeBufferPointer { message in
                    EVP_DigestVerify(
                        context, signature.baseAddress, signature.count, message.baseAddress,
                        message.count) == 1
                }
            }
        }
        return isValid ?? false
    }

    /// Leaves no error behind in the thread's queue, which other users of the library read.
    private func withKey<Result>(_ body: (OpaquePointer) -> Result) -> Result? {
        defer { ERR_clear_error() }
        return encoded.withUnsafeBufferPointer { bytes -> Result? in
            var start = bytes.baseAddress
            guard let key = d2i_PUBKEY(nil, &start, bytes.count) else { return nil }
            defer { EVP_PKEY_free(key) }
            return body(key)
        }
    }
}
