// SPDX-License-Identifier: Apache-2.0

/// A project's policy for passkeys and security keys. The values are those of the standards; they
/// are validated when a state document is read.
package struct WebAuthnPolicy: StoredSettings, Equatable {
    /// `none`, `indirect`, `direct` or `enterprise`: the preference in creation options.
    package var attestation = "none"
    /// The required attestation: `none`, `any` (any certified one), `roots` or `metadata`.
    package var attestationTrust = "none"
    /// Base64 of DER, each of one certificate.
    package var trustRoots: [String] = []
    /// Models that may be registered, lower-case UUIDs; empty allows all.
    package var allowedAAGUIDs: [String] = []
    package var deniedAAGUIDs: [String] = []
    /// `required`, `preferred` or `discouraged`.
    package var userVerification = "required"
    /// `refuse` or `report`: the handling of a counter that did not increase.
    package var signCounter = "refuse"
    /// Whether a person with one key and without recovery codes must add a second credential before
    /// using an app.
    package var secondFactorBeforeFirstKey = false
    /// Other origins that may use the credentials of the project.
    package var relatedOrigins: [String] = []
    /// Origins of pages that may embed the provider's pages in a frame.
    package var topOrigins: [String] = []
    /// Names of COSE algorithms, preferred first; if empty, the default three.
    package var algorithms: [String] = []
    /// Whether credential keys may sign with RSA and SHA-1.
    package var rs1 = false
    /// Whether attestation statements of TPMs may use SHA-1, as those of Windows Hello do.
    package var tpmSHA1 = true
    /// Whether credentials that may leave their device can be registered.
    package var backupEligible = true
    /// `attested` or `claimed`: the required evidence of hardware protection (`phrh`).
    package var hardwareEvidence = "attested"

    package init() {}
}
