// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives

/// A device's result for a secret that was sealed for its TPM.
package struct UnverifiedTPMActivation: Sendable {
    package let endorsement: UnverifiedTPMEndorsement
    /// The result of `TPM2_ActivateCredential`.
    package let secret: [UInt8]

    package init(endorsement: UnverifiedTPMEndorsement, secret: [UInt8]) {
        self.endorsement = endorsement
        self.secret = secret
    }
}

extension UnverifiedTPMKey {
    /// The TPM that its attestation key is in.
    ///
    /// - Parameter secret: What was sealed for that TPM and key.
    func activated(
        _ verifier: TPMEndorsementVerifier, _ secret: (VerifiedTPMEndorsement) -> [UInt8],
        now: Timestamp
    ) async throws(AttestationRefusal) -> VerifiedTPMEndorsement {
        guard let activation else {
            throw AttestationRefusal(.activationMissing, "no secret was brought back")
        }
        let endorsement = try await verifier.check(activation.endorsement, now: now)
        let expected = secret(endorsement)
        guard !expected.isEmpty, ConstantTime.equal(activation.secret, expected) else {
            throw AttestationRefusal(.activationMismatch, "not the secret that was sealed")
        }
        let named = attestationKey.map { $0.material == endorsement.attestationKey.material }
        guard named ?? true, certificates.isEmpty else {
            throw AttestationRefusal(.keyMismatch, "another attestation key is named")
        }
        return endorsement
    }
}
