// SPDX-License-Identifier: Apache-2.0
import Primitives
import SwiftASN1
import X509

/// Validates a path in which a certificate is amended (``AmendedCertificate``): the steps of RFC 5280
/// section 6.1 for a path in order, without name constraints.
///
/// swift-certificates would verify signatures over its copy.
struct AmendedPath {
    let path: AttestationPath
    /// Extensions that may be critical in the attestation certificate beside those judged here.
    let handled: [ASN1ObjectIdentifier]

    private static let judged: [ASN1ObjectIdentifier] = [
        .X509ExtensionID.basicConstraints, .X509ExtensionID.keyUsage,
    ]

    /// Why the path leads to no anchor, or `nil` when it does.
    func refusal(anchors: TrustAnchors, now: Timestamp) -> String? {
        // A certificate of the path that is an anchor ends it.
        let end = path.certificates.firstIndex { certificate in
            anchors.certificates.contains { $0.der == certificate.der }
        }
        let certificates = Array(path.certificates.prefix(end ?? path.certificates.count))
        let anchor = anchors.certificates.first { certificates.last?.isIssued(by: $0) ?? false }
        guard let anchor else { return "no anchor is reached" }
        let chain = certificates + [anchor]
        guard zip(chain, chain.dropFirst()).allSatisfy({ $0.isIssued(by: $1) }) else {
            return "a certificate is not by its issuer"
        }
        guard chain.allSatisfy({ $0.isValid(at: now) }) else {
            return "a certificate is not valid now"
        }
        for (depth, issuer) in chain.enumerated().dropFirst() {
            guard issuer.isAuthority else { return "an issuer may sign no certificates" }
            guard issuer.maximumDepth.map({ depth - 1 <= $0 }) ?? true else {
                return "the path is longer than an issuer allows"
            }
        }
        for (depth, certificate) in certificates.enumerated() {
            let known = depth == 0 ? Self.judged + handled : Self.judged
            let unknown = certificate.certificate.extensions.first {
                $0.critical && !known.contains($0.oid)
            }
            if let unknown { return "the critical extension \(unknown.oid) is not known" }
        }
        return nil
    }
}

extension AttestationCertificate {
    /// `pathLenConstraint` (RFC 5280 section 4.2.1.9); `nil` for any length.
    fileprivate var maximumDepth: Int? {
        let constraints = try? certificate.extensions.basicConstraints
        guard case .isCertificateAuthority(let length)? = constraints else { return nil }
        return length
    }
}
