// SPDX-License-Identifier: Apache-2.0
import CBOR
import Crypto
import CryptoExtras
import SwiftASN1
import X509

/// Section 8.2, packed attestation: with the certificate of the model (`x5c`), or by the new
/// credential itself.
enum PackedAttestation {
    /// The verification procedure of section 8.2, in its order.
    static func verify(
        _ evidence: AttestationEvidence
    ) throws(StatementRefusal) -> VerifiedStatement {
        // 1: the statement is CBOR conforming to the syntax.
        guard let algorithm = evidence.member("alg")?.int64 else {
            throw StatementRefusal(.attestationStatementMalformed, "alg is missing")
        }
        guard let signature = evidence.member("sig")?.byteString, !signature.isEmpty else {
            throw StatementRefusal(.attestationStatementMalformed, "sig is missing")
        }
        let certificates = evidence.member("x5c")
        guard evidence.statement.count == (certificates == nil ? 2 : 3) else {
            throw StatementRefusal(.attestationStatementMalformed, "an unknown member")
        }
        // 2 or 3: with certificates, or without.
        guard let certificates else {
            return try verifySelf(evidence, algorithm: algorithm, signature: signature)
        }
        let path = try CertificatePath.read(certificates)
        return try verify(evidence, algorithm: algorithm, signature: signature, path: path)
    }

    /// 2: `x5c` is present.
    private static func verify(
        _ evidence: AttestationEvidence, algorithm: Int64, signature: ArraySlice<UInt8>,
        path: [AttestationCertificate]
    ) throws(StatementRefusal) -> VerifiedStatement {
        guard let leaf = path.first?.certificate else {
            throw StatementRefusal(.attestationStatementMalformed, "x5c is empty")
        }
        // 2.1: sig is over authenticatorData and clientDataHash, by the attestation key.
        guard let algorithm = COSEAlgorithm(rawValue: algorithm),
            let key = KeyMaterial(leaf.publicKey, for: algorithm)
        else {
            throw StatementRefusal(
                .attestationAlgorithmMismatch, "alg \(algorithm) does not fit the certificate")
        }
        let check = SignatureCheck(algorithm: algorithm, material: key)
        guard
            check.isValid(
                signature: signature, over: evidence.authenticatorData.bytes,
                evidence.clientDataHash)
        else { throw StatementRefusal(.attestationSignatureInvalid, "not by the certificate") }
        // 2.2: the certificate meets section 8.2.1.
        try PackedCertificateRequirements.check(leaf)
        // 2.3: the AAGUID of the certificate, if it names one, is that of the credential.
        try PackedCertificateRequirements.check(leaf, names: evidence.credential.aaguid)
        // 2.4: what kind of attestation this is, metadata may tell; 2.5: return the path.
        return VerifiedStatement(type: .certified, trustPath: path)
    }

    /// 3: `x5c` is absent, self attestation.
    private static func verifySelf(
        _ evidence: AttestationEvidence, algorithm: Int64, signature: ArraySlice<UInt8>
    ) throws(StatementRefusal) -> VerifiedStatement {
        // 3.1: alg is that of the credential.
        guard algorithm == evidence.credentialKey.algorithm.rawValue else {
            throw StatementRefusal(
                .attestationAlgorithmMismatch, "alg \(algorithm) is not the credential's")
        }
        // 3.2: sig is over authenticatorData and clientDataHash, by the credential key.
        guard
            evidence.credentialKey.isValid(
                signature: signature, over: evidence.authenticatorData.bytes,
                evidence.clientDataHash)
        else { throw StatementRefusal(.attestationSignatureInvalid, "not by the credential") }
        // 3.3: self attestation, empty path.
        return VerifiedStatement(type: .selfAttestation, trustPath: [])
    }
}

extension KeyMaterial {
    /// The key of a certificate, when it is of the type and curve that `algorithm` is bound to.
    init?(_ key: Certificate.PublicKey, for algorithm: COSEAlgorithm) {
        switch algorithm.family {
        case .ecdsa(.p256):
            guard let key = P256.Signing.PublicKey(key) else { return nil }
            self = .p256(key)
        case .ecdsa(.p384):
            guard let key = P384.Signing.PublicKey(key) else { return nil }
            self = .p384(key)
        case .ecdsa(.p521):
            guard let key = P521.Signing.PublicKey(key) else { return nil }
            self = .p521(key)
        case .ed25519:
            guard let key = Curve25519.Signing.PublicKey(key) else { return nil }
            self = .ed25519(key)
        case .rsaPKCS1, .rsaPSS:
            guard let key = _RSA.Signing.PublicKey(key), 2048...8192 ~= key.keySizeInBits else {
                return nil
            }
            self = .rsa(key)
        }
    }
}
