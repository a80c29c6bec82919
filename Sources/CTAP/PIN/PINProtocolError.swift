// SPDX-License-Identifier: Apache-2.0

/// An invalid input of a PIN/UV auth protocol.
package enum PINProtocolError: Error, Sendable, Equatable {
    /// Not a COSE key of this use, or its point is not on P-256.
    case invalidPublicKey
    /// A plaintext or ciphertext that is not a whole number of AES blocks, or has no IV.
    case invalidLength
}
