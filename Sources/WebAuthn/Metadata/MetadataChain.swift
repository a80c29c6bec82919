// SPDX-License-Identifier: Apache-2.0
import Primitives
import SwiftASN1
import X509

/// The way from a BLOB's certificate to a root that the relying party has (RFC 5280 section 6).
struct MetadataChain {
    let anchors: TrustAnchors

    /// The chain, leaf first, root last.
    func validate(
        _ path: [AttestationCertificate], now: Timestamp
    ) async throws(MetadataRefusal) -> [AttestationCertificate] {
        guard !path.isEmpty else { throw MetadataRefusal(.certificateInvalid, "x5c is empty") }
        do throws(AnchoredPath.Refusal) {
            return try await AnchoredPath(certificates: path).chain(anchors: anchors, now: now)
        } catch { throw MetadataRefusal(.chainUntrusted, error.reason) }
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
