// SPDX-License-Identifier: Apache-2.0
import Crypto
import SwiftASN1
import X509

/// Section 8.8, Apple anonymous attestation: a certificate made for this one credential.
enum AppleAttestation {
    private static let nonceExtension: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 8, 2]

    /// The verification procedure of section 8.8, in its order.
    static func verify(
        _ evidence: AttestationEvidence
    ) throws(StatementRefusal) -> VerifiedStatement {
        // 1: the statement is CBOR conforming to the syntax. Apple's own devices add `alg`.
        let hasAlgorithm = evidence.member("alg") != nil
        try evidence.requireMembers(hasAlgorithm ? 2 : 1)
        if hasAlgorithm {
            let number = try evidence.algorithmNumber()
            guard number == evidence.credentialKey.algorithm.rawValue else {
                throw StatementRefusal(
                    .attestationAlgorithmMismatch, "alg \(number) is not the credential's")
            }
        }
        let path = try CertificatePath.read(evidence.member("x5c"))
        // 2, 3: the nonce is SHA-256 of authenticatorData and clientDataHash.
        var hash = SHA256()
        hash.update(data: evidence.authenticatorData.bytes)
        hash.update(data: evidence.clientDataHash)
        // 4: the certificate contains the nonce.
        guard try nonce(in: path[0].certificate).elementsEqual(hash.finalize()) else {
            throw StatementRefusal(.attestationChallengeMismatch, "another nonce")
        }
        // 5: the credential key is the certificate's.
        try evidence.requireCredentialKey(of: path[0])
        // 6: return the path.
        return VerifiedStatement(type: .certified, trustPath: path)
    }

    /// `SEQUENCE { [1] EXPLICIT OCTET STRING }`.
    private static func nonce(
        in certificate: Certificate
    ) throws(StatementRefusal) -> ArraySlice<UInt8> {
        guard let found = certificate.extensions[oid: nonceExtension] else {
            throw StatementRefusal(
                .attestationCertificateInvalid, "the nonce extension is missing")
        }
        do {
            return try DER.sequence(try DER.parse(found.value), identifier: .sequence) { nodes in
                try DER.explicitlyTagged(&nodes, tagNumber: 1, tagClass: .contextSpecific) {
                    try ASN1OctetString(derEncoded: $0).bytes
                }
            }
        } catch {
            throw StatementRefusal(
                .attestationCertificateInvalid, "the nonce extension cannot be read")
        }
    }
}
