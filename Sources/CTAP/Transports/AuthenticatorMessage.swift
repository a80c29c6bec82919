// SPDX-License-Identifier: Apache-2.0

/// A message to an authenticator, in one of the two protocols that it may speak.
package enum AuthenticatorMessage: Sendable, Equatable {
    /// A command byte with its parameters (CTAP 2.2 section 6).
    case ctap2([UInt8])
    /// A command APDU of U2F in extended form (U2F raw messages section 3).
    case u2f([UInt8])
}
