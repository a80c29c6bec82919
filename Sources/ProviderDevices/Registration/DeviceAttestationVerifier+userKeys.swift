// SPDX-License-Identifier: Apache-2.0
import Attestation
import JOSE
import PlatformSSO
import ProviderCore
import Storage
import WebAuthn

/// Verifies the attestation of user keys by the hardware of a registered device.
extension DeviceAttestationVerifier {
    /// Whether the key is in hardware; `false` without evidence. Invalid evidence is refused.
    ///
    /// The challenge is that of a device's keys, over the device's signing key and the user key.
    func isHeld(
        _ key: PublicJWK, on machine: RegisteredDevice, _ evidence: DeviceAttestation.Evidence?,
        nonce: String
    ) async -> Result<Bool, Refusal> {
        guard let evidence else { return .success(false) }
        guard policy.formats.contains(evidence.format.rawValue) else {
            return .failure(
                DeviceAttestation.refusal(
                    "attestation_refused",
                    "This format is not among those of the setting attestation: leave it out.",
                    "format \(evidence.format.rawValue)"))
        }
        let expectation = AttestationExpectation(
            challenge: DeviceAttestation.challenge(
                nonce: nonce, signing: machine.keys.signing, encryption: key),
            key: key, now: now)
        do throws(AttestationRefusal) {
            try await verify(evidence, expectation, machine.device.facts, nonce)
            return .success(true)
        } catch { return .failure(DeviceAttestation.refused(error)) }
    }

    private func verify(
        _ evidence: DeviceAttestation.Evidence, _ expectation: AttestationExpectation,
        _ facts: DeviceAttributes, _ nonce: String
    ) async throws(AttestationRefusal) {
        switch evidence {
        case .apple(let certificates, _):
            let device = try await AppleDeviceVerifier(roots: RootKeys(base64: policy.appleRoots))
                .check(UnverifiedAppleDevice(certificates: certificates), expecting: expectation)
            try check(
                device.serialNumber, facts.serial, "the serial number", DeviceAttributes.compared)
        case .tpm(let key):
            _ = try await TPMKeyVerifier(trust: trust(in: key, nonce))
                .check(key, expecting: expectation)
        }
    }
}
