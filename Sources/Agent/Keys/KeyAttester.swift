// SPDX-License-Identifier: Apache-2.0
package import Primitives
package import TPM

/// Attests keys with a TPM.
package protocol KeyAttester: Sendable {
    /// Makes an attestation key; `nil` if there is no TPM.
    func makeAttestationKey() async throws -> AgentKey?
    func certify(
        _ key: AgentKey, with attestationKey: AgentKey, challenge: [UInt8]
    ) async throws -> TPMCertification
    func quote(with attestationKey: AgentKey, challenge: [UInt8]) async throws -> TPMQuote?
    func endorsement(of attestationKey: AgentKey) async throws -> KeyEndorsement?
    func activate(
        _ attestationKey: AgentKey, with kind: TPMEndorsement.Kind, _ credential: SealedCredential
    ) async throws -> Secret
}

extension AgentKeyStore: KeySource, KeyAttester {}
