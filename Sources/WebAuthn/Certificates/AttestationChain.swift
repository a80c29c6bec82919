// SPDX-License-Identifier: Apache-2.0
package import Primitives
import SwiftASN1

/// Certificates as a device sends them, from the attested one up, to be led to a root key.
package struct AttestationChain: Sendable {
    /// The attested certificate.
    package let leaf: AttestationCertificate
    /// What certifies it, in order. A root at the end was left out: it is trusted because we have
    /// its key, never because it came along.
    package let issuers: [AttestationCertificate]

    /// The leaf, then its issuers.
    package var certificates: [AttestationCertificate] { [leaf] + issuers }

    /// Reads DER certificates, each named as issuer by the one before.
    package init(der certificates: [[UInt8]]) throws(AttestationChainError) {
        do {
            let path = try CertificatePath.read(certificates, mayEndInRoot: true)
            leaf = path[0]
            issuers = Array(path.dropFirst())
        } catch { throw AttestationChainError(reason: error.reason) }
    }

    /// Why the chain leads to none of the keys by the rules of RFC 5280 section 6, or `nil` when
    /// it does.
    ///
    /// The certificate at the top is signed by the root key and may sign others; from there down
    /// it is the path of any attestation.
    ///
    /// - Parameter judgedExtensions: Critical extensions of the leaf that its format has judged,
    ///   in dots.
    package func refusal(
        roots: RootKeys, judgedExtensions: [String] = [], now: Timestamp
    ) async -> String? {
        guard let top = issuers.last else { return leafRefusal(roots, now: now) }
        guard roots.haveSigned(top) else { return "no root key has signed the chain" }
        guard top.isAuthority else { return "the certificate at the top is no authority" }
        let judged = judgedExtensions.compactMap {
            try? ASN1ObjectIdentifier(dotRepresentation: $0)
        }
        let path = AttestationPath(
            certificates: Array(certificates.dropLast()), judgedExtensions: judged)
        return await path.refusal(anchors: TrustAnchors([top]), now: now)
    }

    /// A leaf that the root signed itself.
    private func leafRefusal(_ roots: RootKeys, now: Timestamp) -> String? {
        guard roots.haveSigned(leaf) else { return "no root key has signed the certificate" }
        return leaf.isValid(at: now) ? nil : "the certificate is not valid now"
    }
}

/// Why certificates are no chain.
package struct AttestationChainError: Error, Sendable {
    /// Private: for the log.
    package let reason: String
}
