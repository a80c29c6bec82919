// SPDX-License-Identifier: Apache-2.0

/// How far a verified statement is trusted.
package enum AttestationTrust: String, Sendable, CaseIterable {
    /// There is nothing to trust: no statement, or the credential's own.
    case none
    /// Certified, but by nobody that this relying party was told to trust.
    case unanchored
    /// Certified by an anchor of this relying party.
    case anchored
}
