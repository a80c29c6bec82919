// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// What a relying party remembers of the options that it gave out, and what it demands.
package struct RegistrationExpectation: Sendable {
    /// The challenge that was given out, and that has been consumed by now.
    package var challenge: [UInt8]
    package var userVerification: UserVerificationRequirement
    /// What `pubKeyCredParams` offered, and by what an attestation may be signed.
    package var algorithms: AcceptedAlgorithms
    /// Whether the request was made with conditional mediation, where nobody needs to be present
    /// (step 7.1.15).
    package var isConditional: Bool
    package var attestation: AttestationPolicy
    /// Whether the credential may be one that is backed up (step 7.1.18).
    package var backup: BackupPolicy
    /// What the options asked for beside the credential.
    package var extensions: RegistrationExtensions
    package var extensionPolicy: ExtensionPolicy
    /// The moment at which attestation certificates must be valid.
    package var now: Timestamp

    package init(
        challenge: [UInt8], userVerification: UserVerificationRequirement,
        algorithms: AcceptedAlgorithms = AcceptedAlgorithms(), isConditional: Bool = false,
        attestation: AttestationPolicy = .unassessed, backup: BackupPolicy = .allowed,
        extensions: RegistrationExtensions = RegistrationExtensions(),
        extensionPolicy: ExtensionPolicy = ExtensionPolicy(), now: Timestamp
    ) {
        self.challenge = challenge
        self.userVerification = userVerification
        self.algorithms = algorithms
        self.isConditional = isConditional
        self.attestation = attestation
        self.backup = backup
        self.extensions = extensions
        self.extensionPolicy = extensionPolicy
        self.now = now
    }
}
