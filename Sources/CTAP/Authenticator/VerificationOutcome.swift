// SPDX-License-Identifier: Apache-2.0

/// What built-in verification found.
package enum VerificationOutcome: Sendable, Equatable {
    case verified
    /// The finger, or whatever was shown, is not the owner's.
    case failed
    case denied
    case timedOut
}
