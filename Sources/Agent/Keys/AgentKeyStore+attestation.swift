// SPDX-License-Identifier: Apache-2.0
import CTAP
import Platform
package import Primitives
package import TPM

/// Keys that hardware attests. Only a TPM does.
extension AgentKeyStore {
    /// `nil` where keys are not in a TPM.
    package func makeAttestationKey() async throws -> AgentKey? {
        guard kind == .tpm else { return nil }
        let path = tpm
        return try await hardwareKey { try TPMAttestationKeys(path: path).makeKey() }
    }

    package func certify(
        _ key: AgentKey, with attestationKey: AgentKey, challenge: [UInt8]
    ) async throws -> TPMCertification {
        guard key.kind == .tpm, attestationKey.kind == .tpm else {
            throw KeyStoreError.unusable("it is in no TPM")
        }
        let (path, key, signer) = (tpm, try hardware(key), try hardware(attestationKey))
        return try await BlockingCall.run {
            try TPMAttestationKeys(path: path).certify(key, with: signer, challenge: challenge)
        }
    }

    /// How the machine was booted; `nil` where no TPM says so.
    package func quote(
        with attestationKey: AgentKey, challenge: [UInt8]
    ) async throws -> TPMQuote? {
        guard attestationKey.kind == .tpm else { return nil }
        let (path, signer) = (tpm, try hardware(attestationKey))
        return try await BlockingCall.run {
            try TPMAttestationKeys(path: path).quote(with: signer, challenge: challenge)
        }
    }

    /// Returns the endorsement of the TPM; `nil` if keys are not in a TPM, or its manufacturer
    /// stored none.
    package func endorsement(
        of attestationKey: AgentKey
    ) async throws -> KeyEndorsement? {
        guard attestationKey.kind == .tpm else { return nil }
        let (path, key) = (tpm, try hardware(attestationKey))
        return try await BlockingCall.run {
            let keys = TPMAttestationKeys(path: path)
            guard let found = try keys.endorsement() else { return nil }
            return KeyEndorsement(
                endorsement: found, attestationArea: try keys.publicArea(of: key))
        }
    }

    /// What was sealed for the TPM and that key.
    package func activate(
        _ attestationKey: AgentKey, with kind: TPMEndorsement.Kind, _ credential: SealedCredential
    ) async throws -> Secret {
        let (path, key) = (tpm, try hardware(attestationKey))
        return try await BlockingCall.run {
            try TPMAttestationKeys(path: path).activate(
                key, with: kind, blob: credential.blob,
                encryptedSecret: credential.encryptedSecret)
        }
    }
}
