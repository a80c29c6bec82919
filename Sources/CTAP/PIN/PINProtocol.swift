// SPDX-License-Identifier: Apache-2.0

/// A PIN/UV auth protocol (CTAP 2.1 section 6.5.4): how client and key agree on a secret, and how
/// they encrypt and authenticate with it.
///
/// | | one (6.5.6) | two (6.5.7) |
/// |---|---|---|
/// | keys from the ECDH coordinate Z | SHA-256(Z) for both | HKDF-SHA-256, one each |
/// | encryption, AES-256-CBC, no padding | IV of zeros | random IV, sent in front |
/// | authentication, HMAC-SHA-256 | cut to 16 bytes | 32 bytes |
package enum PINProtocol: UInt8, Sendable, Hashable, CaseIterable {
    case one = 1
    case two = 2

    /// Length of a `pinUvAuthParam` and of `saltAuth`, in bytes.
    package var authenticationLength: Int { self == .one ? 16 : 32 }

    /// The difference between the lengths of ciphertext and plaintext, in bytes.
    package var encryptionOverhead: Int { self == .one ? 0 : 16 }
}
