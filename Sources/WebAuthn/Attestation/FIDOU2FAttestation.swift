// SPDX-License-Identifier: Apache-2.0
import Crypto

/// Section 8.6, FIDO U2F attestation: keys of the first generation, mapped by the client.
enum FIDOU2FAttestation {
    /// The verification procedure of section 8.6, in its order.
    static func verify(
        _ evidence: AttestationEvidence
    ) throws(StatementRefusal) -> VerifiedStatement {
        // 1: the statement is CBOR conforming to the syntax.
        _ = try evidence.bytes("sig")
        try evidence.requireMembers(2)
        if evidence.policy.requiresZeroAAGUIDFromU2F, !evidence.credential.aaguid.isZero {
            throw StatementRefusal(
                .attestationAAGUIDNotZero, "AAGUID is \(evidence.credential.aaguid)")
        }
        // 2: x5c has exactly one certificate, of a key on P-256.
        let path = try CertificatePath.read(evidence.member("x5c"))
        guard path.count == 1 else {
            throw StatementRefusal(
                .attestationStatementMalformed, "x5c has more than one certificate")
        }
        guard KeyMaterial(path[0], for: .es256) != nil else {
            throw StatementRefusal(
                .attestationCertificateInvalid, "the certificate's key is not on P-256")
        }
        // 3, 4: the credential key in U2F's form.
        let point = try u2fPoint(of: evidence.credentialKey)
        // 5: the bytes that a U2F key signs at registration.
        var message: [UInt8] = [0]
        message += evidence.authenticatorData.rpIdHash
        message += evidence.clientDataHash
        message += evidence.credential.credentialId
        message += point
        // 6: the certificate's key signs the message.
        try evidence.requireSignature(
            by: path[0], algorithm: .es256, over: message[...], [])
        // 7, 8: return the path.
        return VerifiedStatement(type: .certified, trustPath: path)
    }

    /// 65 bytes: 4, x, y.
    private static func u2fPoint(of key: COSEPublicKey) throws(StatementRefusal) -> [UInt8] {
        guard case .p256(let point) = key.material else {
            throw StatementRefusal(.attestationKeyMismatch, "the credential is not on P-256")
        }
        return Array(point.x963Representation)
    }
}
