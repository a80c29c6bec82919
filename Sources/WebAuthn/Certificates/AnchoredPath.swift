// SPDX-License-Identifier: Apache-2.0
import Primitives
import SwiftASN1
@_spi(FixedExpiryValidationTime) import X509

/// Certificates in order, to be verified up to an anchor (RFC 5280 section 6.1): those of an
/// attestation, of a smart card, and of a metadata BLOB.
struct AnchoredPath {
    /// The certificate in question first.
    let certificates: [AttestationCertificate]
    /// Critical extensions of that certificate that the caller verifies.
    var verifiedExtensions: [ASN1ObjectIdentifier] = []

    /// The reason why no anchor is reached, or the violated rule of the path.
    struct Refusal: Error {
        let reason: String
    }

    /// The chain, the certificate in question first, the anchor last.
    func chain(
        anchors: TrustAnchors, now: Timestamp
    ) async throws(Refusal) -> [AttestationCertificate] {
        guard let leaf = certificates.first else {
            throw Refusal(reason: "there is no certificate")
        }
        guard let date = now.validationDate else {
            throw Refusal(reason: "no certificate is valid at that time")
        }
        if certificates.contains(where: \.isAmended) {
            return try AmendedPath(certificates: certificates, handled: verifiedExtensions)
                .chain(anchors: anchors, now: now)
        }
        var verifier = Verifier(rootCertificates: anchors.store) {
            RFC5280Policy(fixedExpiryValidationTime: date)
            AttestationPathPolicy(verifyingCriticalExtensions: verifiedExtensions)
        }
        let result = await verifier.validate(
            leaf: leaf.certificate,
            intermediates: CertificateStore(certificates.dropFirst().map(\.certificate)))
        switch result {
        case .validCertificate(let chain):
            let known = certificates + anchors.certificates
            return chain.compactMap { found in known.first { $0.certificate == found } }
        case .couldNotValidate(let failures):
            throw Refusal(
                reason: failures.isEmpty
                    ? "no anchor is reached" : "\(failures.map(\.policyFailureReason))")
        }
    }
}
