// SPDX-License-Identifier: Apache-2.0
import Primitives
import TPM

/// Attests the keys of the device with the attestation key of its TPM.
@AgentActor
struct DeviceKeyAttestation {
    let records: RecordStore
    let calls: ExtensionCalls
    let attester: any KeyAttester
    let notices: any AgentEventLog

    /// Makes the attestation key once. An administrator registers it with the provider.
    func makeKey() async {
        guard records.record.attestationKey == nil else { return }
        do {
            guard let key = try await attester.makeAttestationKey() else { return }
            records.record.attestationKey = key
            try await records.save()
        } catch { notices.failed("making an attestation key", error) }
    }

    /// - Returns: `nil` if the key is not in a TPM.
    func attest(
        _ key: AgentKey, challenge: [UInt8], attempt: UInt64
    ) async throws -> KeyAttestation? {
        try calls.confirm(attempt)
        guard key.kind == .tpm else { return nil }
        await makeKey()
        guard let own = records.record.attestationKey else { return nil }
        return KeyAttestation(
            certification: try await attester.certify(key, with: own, challenge: challenge),
            quote: try await attester.quote(with: own, challenge: challenge),
            attestationKey: own.publicKey)
    }

    /// - Returns: `nil` without an endorsement of the TPM by its manufacturer.
    func endorsement(attempt: UInt64) async throws -> KeyEndorsement? {
        try calls.confirm(attempt)
        await makeKey()
        guard let own = records.record.attestationKey else { return nil }
        return try await attester.endorsement(of: own)
    }

    func activate(
        _ endorsement: KeyEndorsement, _ credential: SealedCredential, attempt: UInt64
    ) async throws -> Secret {
        try calls.confirm(attempt)
        guard let own = records.record.attestationKey else {
            throw KeyStoreError.unusable("it is in no TPM")
        }
        return try await attester.activate(own, with: endorsement.endorsement.kind, credential)
    }
}
