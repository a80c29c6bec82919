// SPDX-License-Identifier: Apache-2.0

/// Section 8.2, packed attestation: with the certificate of the model (`x5c`), or by the new
/// credential itself.
enum PackedAttestation {
    /// The verification procedure of section 8.2, in its order.
    static func verify(
        _ evidence: AttestationEvidence
    ) throws(StatementRefusal) -> VerifiedStatement {
        // 1: the statement is CBOR conforming to the syntax.
        let number = try evidence.algorithmNumber()
        let signature = try evidence.bytes("sig")
        let certificates = evidence.member("x5c")
        try evidence.requireMembers(certificates == nil ? 2 : 3)
        // 2 or 3: with certificates, or without.
        guard let certificates else {
            return try verifySelf(evidence, algorithm: number, signature: signature)
        }
        let path = try CertificatePath.read(certificates)
        return try verify(evidence, algorithm: number, path: path)
    }

    /// 2: `x5c` is present.
    private static func verify(
        _ evidence: AttestationEvidence, algorithm: Int64, path: [AttestationCertificate]
    ) throws(StatementRefusal) -> VerifiedStatement {
        let leaf = path[0]
        // 2.1: the attestation key signs authenticatorData and clientDataHash.
        try evidence.requireSignature(
            by: leaf, algorithm: try evidence.algorithm(algorithm),
            over: evidence.authenticatorData.bytes, evidence.clientDataHash)
        // 2.2: the certificate meets section 8.2.1.
        try PackedCertificateRequirements.check(leaf.certificate)
        // 2.3: the AAGUID of the certificate, if it names one, is that of the credential.
        try AAGUIDExtension.check(leaf.certificate, names: evidence.credential.aaguid)
        // 2.4: metadata may state the attestation type; 2.5: return the path.
        return VerifiedStatement(type: .certified, trustPath: path)
    }

    /// 3: `x5c` is absent, self attestation.
    private static func verifySelf(
        _ evidence: AttestationEvidence, algorithm: Int64, signature: ArraySlice<UInt8>
    ) throws(StatementRefusal) -> VerifiedStatement {
        // 3.1: alg is the credential's.
        guard algorithm == evidence.credentialKey.algorithm.rawValue else {
            throw StatementRefusal(
                .attestationAlgorithmMismatch, "alg \(algorithm) is not the credential's")
        }
        // 3.2: the credential key signs authenticatorData and clientDataHash.
        guard
            evidence.credentialKey.isValid(
                signature: signature, over: evidence.authenticatorData.bytes,
                evidence.clientDataHash)
        else { throw StatementRefusal(.attestationSignatureInvalid, "not by the credential") }
        // 3.3: self attestation, empty path.
        return VerifiedStatement(type: .selfAttestation, trustPath: [])
    }
}
