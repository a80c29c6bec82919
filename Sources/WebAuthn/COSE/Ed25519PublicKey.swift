// SPDX-License-Identifier: Apache-2.0
import CSodium

/// An Ed25519 public key (RFC 8032 section 5.1), verified by libsodium, in three fifths of the time
/// that swift-crypto and libcrypto take (decision 0019).
///
/// libsodium also refuses a signature whose `R` has a small order or whose `S` is not reduced, and
/// a non-canonical key. A correct signer never makes these.
struct Ed25519PublicKey: Sendable, Equatable {
    /// `y` of the point, little-endian, with the sign of `x` in the highest bit: 32 bytes.
    let encoded: [UInt8]

    /// Whether libsodium is initialised. Repeated initialisation is harmless.
    private static let isReady = sodium_init() >= 0

    /// `nil` when these are not 32 bytes. Does not check that the point is on the curve.
    init?(_ encoded: some Collection<UInt8>) {
        guard encoded.count == Int(crypto_sign_ed25519_PUBLICKEYBYTES) else { return nil }
        self.encoded = Array(encoded)
    }

    /// Whether `signature` is a signature of `message` (RFC 8032 section 5.1.7, without the
    /// cofactor).
    func isValid(signature: ArraySlice<UInt8>, over message: [UInt8]) -> Bool {
        guard Self.isReady, signature.count == Int(crypto_sign_ed25519_BYTES) else { return false }
        return crypto_sign_ed25519_verify_detached(
            Array(signature), message, UInt64(message.count), encoded) == 0
    }
}
