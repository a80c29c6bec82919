// SPDX-License-Identifier: Apache-2.0

/// The result of built-in verification.
package enum VerificationOutcome: Sendable, Equatable {
    case verified
    /// The sample does not match the owner.
    case failed
    case denied
    case timedOut
}
