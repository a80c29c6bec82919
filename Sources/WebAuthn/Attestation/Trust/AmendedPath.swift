// SPDX-License-Identifier: Apache-2.0
import Primitives
import SwiftASN1
import X509

/// Validates a path in which a certificate is amended (``AmendedCertificate``): the steps of RFC 5280
/// section 6.1 for a path in order, without name constraints.
///
/// swift-certificates would verify signatures over its copy.
struct AmendedPath {
    /// The certificate in question first.
    let certificates: [AttestationCertificate]
    /// Extensions that may be critical in that certificate in addition to those verified here.
    let handled: [ASN1ObjectIdentifier]

    private static let verifiedExtensions: [ASN1ObjectIdentifier] = [
        .X509ExtensionID.basicConstraints, .X509ExtensionID.keyUsage,
    ]

    /// The chain, the certificate in question first, the anchor last.
    func chain(
        anchors: TrustAnchors, now: Timestamp
    ) throws(AnchoredPath.Refusal) -> [AttestationCertificate] {
        let chain = try unjudgedChain(anchors)
        guard zip(chain, chain.dropFirst()).allSatisfy({ $0.isIssued(by: $1) }) else {
            throw AnchoredPath.Refusal(reason: "a certificate is not by its issuer")
        }
        guard chain.allSatisfy({ $0.isValid(at: now) }) else {
            throw AnchoredPath.Refusal(reason: "a certificate is not valid now")
        }
        if let fault = authorityFault(chain) ?? extensionFault(chain.dropLast()) {
            throw AnchoredPath.Refusal(reason: fault)
        }
        return chain
    }

    /// Returns the chain without other checks. A certificate that is an anchor ends it; otherwise
    /// the anchor is found by the issuer's name.
    private func unjudgedChain(
        _ anchors: TrustAnchors
    ) throws(AnchoredPath.Refusal) -> [AttestationCertificate] {
        let end = certificates.firstIndex { certificate in
            anchors.certificates.contains { $0.der == certificate.der }
        }
        if let end { return Array(certificates.prefix(end + 1)) }
        guard
            let anchor = anchors.certificates.first(where: {
                certificates.last?.isIssued(by: $0) ?? false
            })
        else { throw AnchoredPath.Refusal(reason: "no anchor is reached") }
        return certificates + [anchor]
    }

    private func authorityFault(_ chain: [AttestationCertificate]) -> String? {
        for (depth, issuer) in chain.enumerated().dropFirst() {
            guard issuer.isAuthority else { return "an issuer may sign no certificates" }
            guard issuer.maximumDepth.map({ depth - 1 <= $0 }) ?? true else {
                return "the path is longer than an issuer allows"
            }
        }
        return nil
    }

    private func extensionFault(_ certificates: some Sequence<AttestationCertificate>) -> String? {
        for (depth, certificate) in certificates.enumerated() {
            let known = depth == 0 ? Self.verifiedExtensions + handled : Self.verifiedExtensions
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
