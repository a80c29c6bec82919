// SPDX-License-Identifier: Apache-2.0
package import Primitives
import SwiftASN1

/// Certificates as a device sends them, from the attested one up, to be verified up to a root key.
package struct AttestationChain: Sendable {
    /// The attested certificate.
    package let leaf: AttestationCertificate
    /// The issuers of the leaf, in order. A root at the end is left out: it is trusted because its
    /// key is configured, not because the message contains it.
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

    /// Returns why the chain does not lead to one of the keys by the rules of RFC 5280 section 6,
    /// or `nil` if it does.
    ///
    /// The certificate at the top is signed by the root key and may sign others. Below it, the
    /// rules are those of any attestation path.
    ///
    /// - Parameter verifiedExtensions: Critical extensions of the leaf that its format has verified,
    ///   in dotted form.
    package func refusal(
        roots: RootKeys, verifiedExtensions: [String] = [], now: Timestamp
    ) async -> String? {
        guard let top = issuers.last else { return leafRefusal(roots, now: now) }
        guard roots.haveSigned(top) else { return "no root key has signed the chain" }
        guard top.isAuthority else { return "the certificate at the top is not an authority" }
        let read = verifiedExtensions.compactMap {
            try? ASN1ObjectIdentifier(dotRepresentation: $0)
        }
        let path = AttestationPath(
            certificates: Array(certificates.dropLast()), verifiedExtensions: read)
        return await path.refusal(anchors: TrustAnchors([top]), now: now)
    }

    /// Returns why the root key did not sign the leaf itself.
    private func leafRefusal(_ roots: RootKeys, now: Timestamp) -> String? {
        guard roots.haveSigned(leaf) else { return "no root key has signed the certificate" }
        return leaf.isValid(at: now) ? nil : "the certificate is not valid now"
    }
}

/// The reason why certificates are not a chain.
package struct AttestationChainError: Error, Sendable {
    /// Private: for the log.
    package let reason: String
}
