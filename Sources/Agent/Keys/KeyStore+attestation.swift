// SPDX-License-Identifier: Apache-2.0
import CTAP
import JOSE
package import TPM
import Threads

/// Keys that the hardware vouches for. Only a TPM does.
extension KeyStore {
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
}
