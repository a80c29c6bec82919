// SPDX-License-Identifier: Apache-2.0
import Crypto
import Primitives

/// A sealed secret in its transmitted form.
struct PINSecretBox: Sendable, Equatable {
    /// `enc` of RFC 9180, 32 bytes.
    var encapsulatedKey: [UInt8]
    /// 32 bytes of secret and 16 of tag.
    var ciphertext: [UInt8]
}
