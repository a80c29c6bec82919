// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// The relying party's record of the issued creation options, and its requirements.
package struct RegistrationExpectation: Sendable {
    /// The issued challenge, which the caller has consumed.
    package var challenge: [UInt8]
    package var userVerification: UserVerificationRequirement
    /// The algorithms that `pubKeyCredParams` offered, and those accepted for attestation
    /// signatures.
    package var algorithms: AcceptedAlgorithms
    /// Whether the request used conditional mediation, which does not require user presence (step
    /// 7.1.15).
    package var isConditional: Bool
    package var attestation: AttestationPolicy
    /// Whether the credential may be one that is backed up (step 7.1.18).
    package var backup: BackupPolicy
    /// The extensions that the options requested.
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
