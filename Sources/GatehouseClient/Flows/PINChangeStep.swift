// SPDX-License-Identifier: Apache-2.0

/// A step of a PIN change that the app must handle.
public enum PINChangeStep: Sendable {
    /// The PIN that counts now.
    case enterPIN(PINChallenge)
    /// The one that shall count.
    case createPIN(CreatePINChallenge)
}
