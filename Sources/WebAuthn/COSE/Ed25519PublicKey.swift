// SPDX-License-Identifier: Apache-2.0
import Crypto

/// An Ed25519 public key (RFC 8032 section 5.1), verified by swift-crypto (decision 0021).
///
/// swift-crypto compares the encoding of `R` and refuses an `S` that is not reduced. It accepts
/// points of small order and a second spelling of a key; this type refuses both, for the key and
/// for `R`. A correct signer never makes these.
struct Ed25519PublicKey: Sendable, Equatable {
    /// `y` of the point, little-endian, with the sign of `x` in the highest bit: 32 bytes.
    let encoded: [UInt8]
    private let key: Curve25519.Signing.PublicKey

    /// `nil` when these are not 32 bytes. Does not check that the point is on the curve.
    init?(_ encoded: some Collection<UInt8>) {
        self.encoded = Array(encoded)
        guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: self.encoded) else {
            return nil
        }
        self.key = key
    }

    static func == (left: Ed25519PublicKey, right: Ed25519PublicKey) -> Bool {
        left.encoded == right.encoded
    }

    /// Whether `signature` is a signature of `message` (RFC 8032 section 5.1.7, without the
    /// cofactor).
    func isValid(signature: ArraySlice<UInt8>, over message: [UInt8]) -> Bool {
        Ed25519Point.isAcceptable(encoded[...])
            && Ed25519Point.isAcceptable(signature.prefix(32))
            && key.isValidSignature(signature, for: message)
    }
}
