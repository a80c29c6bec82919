// SPDX-License-Identifier: Apache-2.0
import JOSE
import UserClient

/// Proves that the attestation key of the device is in a TPM of a known manufacturer, if a provider
/// requires that (docs/platform-sso-provider.md, `device_endorsement`).
extension GatehouseProvider {
    /// Evidence of a key, with as much of the TPM as there is to show.
    struct Evidence: Sendable {
        var evidence: JSONValue?
        /// Why the TPM shows less than was asked for. The provider may do without.
        var obstacle: String?
    }

    /// - Throws: ``ProviderError`` when the provider cannot be asked now.
    func endorsement(
        for nonce: String, _ attestation: KeyAttestation?, _ manager: any ExtensionLoginManager
    ) async throws -> Evidence {
        guard let attestation else { return Evidence() }
        let plain = attestation.json
        guard urls["device_endorsement"] != nil, var object = plain.object else {
            return Evidence(evidence: plain)
        }
        func without(_ obstacle: String) -> Evidence {
            Evidence(evidence: plain, obstacle: obstacle)
        }
        let found: KeyEndorsement?
        do { found = try await manager.endorsement() } catch {
            return without("The TPM of this device has no readable endorsement (\(error)).")
        }
        guard let found else {
            return without("The TPM of this device has no certificate of its manufacturer.")
        }
        let reply = try await exchange.post(
            try url("device_endorsement"), json: found.question(nonce: nonce), bearer: nil)
        guard reply.status == 200 else {
            guard (400..<500).contains(reply.status), ![408, 429].contains(reply.status) else {
                throw ProviderExchange.later(reply)
            }
            return without("Of its TPM: " + ProviderExchange.reason(reply))
        }
        guard let sealed = SealedCredential(json: reply.body) else {
            throw ProviderError.notTrusted("it sealed nothing for the TPM of this device")
        }
        do {
            object["endorsement"] = found.evidence(try await manager.activate(found, sealed))
        } catch {
            return without(
                "The TPM of this device cannot decrypt what was sealed for it (\(error)).")
        }
        return Evidence(evidence: .object(object))
    }
}
