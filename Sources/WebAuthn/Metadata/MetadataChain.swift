// SPDX-License-Identifier: Apache-2.0
import Primitives
import SwiftASN1
@_spi(FixedExpiryValidationTime) import X509

/// The way from a BLOB's certificate to a root that the relying party has (RFC 5280 section 6).
struct MetadataChain {
    let anchors: TrustAnchors

    /// The chain, leaf first, root last.
    func validate(
        _ path: [AttestationCertificate], now: Timestamp
    ) async throws(MetadataRefusal) -> [Certificate] {
        guard let leaf = path.first else {
            throw MetadataRefusal(.certificateInvalid, "x5c is empty")
        }
        guard let date = now.validationDate else {
            throw MetadataRefusal(.chainUntrusted, "no certificate is valid at that time")
        }
        var verifier = Verifier(
            rootCertificates: CertificateStore(anchors.certificates.map(\.certificate))
        ) {
            RFC5280Policy(fixedExpiryValidationTime: date)
        }
        let result = await verifier.validate(
            leaf: leaf.certificate,
            intermediates: CertificateStore(path.dropFirst().map(\.certificate)))
        switch result {
        case .validCertificate(let chain): return Array(chain)
        case .couldNotValidate(let failures):
            throw MetadataRefusal(
                .chainUntrusted,
                failures.isEmpty
                    ? "no root is reached" : "\(failures.map(\.policyFailureReason))")
        }
    }

    /// The DNS names of a certificate; the common name only where there are none (RFC 6125 section
    /// 6.4.4).
    static func names(of certificate: Certificate) -> [String] {
        let alternatives = try? certificate.extensions.subjectAlternativeNames
        let names = (alternatives ?? SubjectAlternativeNames()).compactMap { name in
            if case .dnsName(let text) = name { text } else { nil }
        }
        guard names.isEmpty else { return names }
        return certificate.subject.flatMap { $0 }
            .filter { $0.type == ASN1ObjectIdentifier.RDNAttributeType.commonName }
            .compactMap { String($0.value) }
    }
}
