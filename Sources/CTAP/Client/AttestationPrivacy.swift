// SPDX-License-Identifier: Apache-2.0
import CBOR
import WebAuthn

/// What of an attestation reaches the relying party (WebAuthn section 5.1.3 step 22.4): nothing,
/// unless it asked. Self attestation tells nothing, and stays.
enum AttestationPrivacy {
    static func apply(
        _ conveyance: AttestationConveyance, to reply: CreationReply
    ) -> MakeCredentialResponse {
        guard conveyance == .none, !isSelfAttestation(reply) else { return reply.response }
        return MakeCredentialResponse(
            format: "none", authenticatorData: reply.response.authenticatorData)
    }

    private static func isSelfAttestation(_ reply: CreationReply) -> Bool {
        reply.response.format == "packed" && reply.credential.aaguid.isZero
            && reply.response.attestationStatement["x5c"] == nil
            && reply.response.attestationStatement["ecdaaKeyId"] == nil
    }
}
