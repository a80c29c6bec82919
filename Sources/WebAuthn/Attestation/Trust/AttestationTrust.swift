// SPDX-License-Identifier: Apache-2.0

/// The trust in a verified statement.
package enum AttestationTrust: String, Sendable, CaseIterable {
    /// No trust: no statement, or self attestation.
    case none
    /// Certified, but the path does not lead to a trust anchor of this relying party.
    case unanchored
    /// Certified by an anchor of this relying party.
    case anchored
}
