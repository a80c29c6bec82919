// SPDX-License-Identifier: Apache-2.0
import CBOR
import WebAuthn

/// The part of an attestation that the relying party receives (WebAuthn section 5.1.3 step 22.4):
/// none, unless it requested attestation. Self attestation reveals nothing and is sent.
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
