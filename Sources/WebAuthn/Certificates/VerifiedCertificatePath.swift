// SPDX-License-Identifier: Apache-2.0
package import JOSE
package import Primitives
import SwiftASN1
import X509

/// A certificate by which a person is known, with the way to a root of ours (RFC 5280 section 6).
/// Only ``init(der:anchors:now:)`` makes one.
package struct VerifiedCertificatePath: Sendable {
    /// The person's first, the root last; at least two.
    package let certificates: [AttestationCertificate]
    /// The person's own.
    package let leaf: AttestationCertificate
    /// The key that it certifies.
    package let key: PublicJWK

    /// What makes certificates no such path.
    package enum Refusal: Error, Sendable, Equatable {
        /// No certificates, too many or too long ones, or not in order.
        case malformed(String)
        /// No root of ours is reached, or a rule of the path is broken.
        case untrusted(String)
        /// Reached, but not made for signing in: see ``purposeFault``.
        case purpose(String)
    }

    /// - Parameter certificates: DER as it was sent, the person's own first. A root at the end
    ///   proves nothing and is left out.
    package init(
        der certificates: [[UInt8]], anchors: TrustAnchors, now: Timestamp
    ) async throws(Refusal) {
        let path: [AttestationCertificate]
        do throws(StatementRefusal) {
            path = try CertificatePath.read(certificates, mayEndInRoot: true)
        } catch { throw .malformed(error.reason) }
        let chain: [AttestationCertificate]
        do throws(AnchoredPath.Refusal) {
            chain = try await AnchoredPath(certificates: path, judgedExtensions: Self.judged)
                .chain(anchors: anchors, now: now)
        } catch { throw .untrusted(error.reason) }
        guard let leaf = chain.first, chain.count > 1 else {
            throw .untrusted("a root is nobody's certificate")
        }
        if let fault = leaf.purposeFault { throw .purpose(fault) }
        guard let key = leaf.publicKey else {
            throw .purpose("a key of a kind that does not sign here")
        }
        self.certificates = chain
        self.leaf = leaf
        self.key = key
    }

    /// Critical extensions of the person's certificate that ``AttestationCertificate/purposeFault``
    /// and the rules of mapping look at.
    private static let judged: [ASN1ObjectIdentifier] = [
        .X509ExtensionID.subjectAlternativeName, .X509ExtensionID.extendedKeyUsage,
    ]
}

extension AttestationCertificate {
    /// Why it does not speak for a person who signs in, or `nil` when it may: no authority, for
    /// signatures if it says what for (RFC 5280 section 4.2.1.3), and for clients or smart-card
    /// logon if it says for whom (section 4.2.1.12).
    package var purposeFault: String? {
        guard certificate.version == .v3 else { return "not of version 3" }
        do {
            if case .isCertificateAuthority? = try certificate.extensions.basicConstraints {
                return "an authority's certificate"
            }
            if let usage = try certificate.extensions.keyUsage, !usage.digitalSignature {
                return "not for digital signatures"
            }
            guard let usages = try certificate.extensions.extendedKeyUsage else { return nil }
            let accepted: [ExtendedKeyUsage.Usage] = [
                .clientAuth, .any, .init(oid: Self.smartCardLogon),
            ]
            return usages.contains(where: accepted.contains)
                ? nil : "for neither client authentication nor smart-card logon"
        } catch { return "an extension cannot be read" }
    }

    /// Microsoft's `szOID_KP_SMARTCARD_LOGON`.
    private static let smartCardLogon: ASN1ObjectIdentifier = [1, 3, 6, 1, 4, 1, 311, 20, 2, 2]
}
