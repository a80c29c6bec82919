// SPDX-License-Identifier: Apache-2.0

/// The type of attestation of a new credential (section 6.5.3).
package enum AttestationType: String, Sendable, CaseIterable {
    /// There is no attestation.
    case none
    /// The credential's key signed the attestation.
    case selfAttestation = "self"
    /// A certificate of the manufacturer signed it: basic attestation, or one of the CA forms,
    /// which are indistinguishable to a relying party.
    case certified
}
