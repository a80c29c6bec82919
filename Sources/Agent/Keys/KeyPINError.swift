// SPDX-License-Identifier: Apache-2.0

/// Why a key behind a PIN does not sign.
package enum KeyPINError: Error, Sendable, Equatable, CustomStringConvertible {
    /// There is no person to type it.
    case needed
    case incorrect
    /// Too many wrong ones; the person registers another key.
    case locked
    /// The TPM has heard too many wrong ones, of this key or of others, and wants time.
    case tpmLocked

    package var description: String {
        switch self {
        case .needed: "the key needs its PIN"
        case .incorrect: "the PIN is wrong"
        case .locked: "too many wrong PINs: the key is deleted; use gatehouse-agent register user"
        case .tpmLocked: "too many wrong PINs: the TPM is locked; try again later"
        }
    }
}
