// SPDX-License-Identifier: Apache-2.0

/// An error of decoding a public key.
package enum COSEKeyError: String, Error, Sendable, CaseIterable {
    /// Not a canonical CBOR map of exactly the parameters of its key type.
    case malformed = "cose_key_malformed"
    /// An `alg` that is not supported.
    case unknownAlgorithm = "cose_key_unknown_algorithm"
    /// The key type or curve is not the one that `alg` is bound to.
    case algorithmMismatch = "cose_key_algorithm_mismatch"
    /// A coordinate of the wrong length, or a point that is not on its curve.
    case invalidPoint = "cose_key_invalid_point"
    /// An ML-DSA key whose length does not match its parameter set.
    case invalidLength = "cose_key_invalid_length"
    /// An Ed25519 or Ed448 point of small order or not in canonical form.
    case weakPoint = "cose_key_weak_point"
    /// An RSA modulus outside 2048 to 8192 bits, even, or with leading zeros.
    case invalidModulus = "cose_key_invalid_modulus"
    /// An RSA exponent that is even, below 3 or longer than four bytes.
    case invalidExponent = "cose_key_invalid_exponent"
}
