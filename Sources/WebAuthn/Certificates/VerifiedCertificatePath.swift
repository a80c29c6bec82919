// SPDX-License-Identifier: Apache-2.0
package import JOSE
package import Primitives
import SwiftASN1
import X509

/// A certificate that identifies a person, with a path to a trust anchor (RFC 5280 section 6). Only
/// ``init(der:anchors:now:)`` creates one.
package struct VerifiedCertificatePath: Sendable {
    /// The person's first, the root last; at least two.
    package let certificates: [AttestationCertificate]
    /// The person's own.
    package let leaf: AttestationCertificate
    /// The key that it certifies.
    package let key: PublicJWK

    /// The reason why certificates are not such a path.
    package enum Refusal: Error, Sendable, Equatable {
        /// No certificates, too many or too long ones, or not in order.
        case malformed(String)
        /// The path does not reach a trust anchor, or violates a rule.
        case untrusted(String)
        /// The path is valid, but the certificate is not for signing in: see ``purposeFault``.
        case purpose(String)
    }

    /// - Parameter certificates: DER as received, the person's own first. A root at the end proves
    ///   nothing and is left out.
    package init(
        der certificates: [[UInt8]], anchors: TrustAnchors, now: Timestamp
    ) async throws(Refusal) {
        let path: [AttestationCertificate]
        do throws(StatementRefusal) {
            path = try CertificatePath.read(certificates, mayEndInRoot: true)
        } catch { throw .malformed(error.reason) }
        let chain: [AttestationCertificate]
        do throws(AnchoredPath.Refusal) {
            chain = try await AnchoredPath(
                certificates: path, verifiedExtensions: Self.verifiedExtensions
            )
            .chain(anchors: anchors, now: now)
        } catch { throw .untrusted(error.reason) }
        guard let leaf = chain.first, chain.count > 1 else {
            throw .untrusted("a root certificate does not identify a person")
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
    /// and the mapping rules verify.
    private static let verifiedExtensions: [ASN1ObjectIdentifier] = [
        .X509ExtensionID.subjectAlternativeName, .X509ExtensionID.extendedKeyUsage,
    ]
}

extension AttestationCertificate {
    /// The reason why the certificate cannot authenticate a person, or `nil` if it can.
    ///
    /// It must not be an authority. Its key usage, if present, must allow signatures (RFC 5280
    /// section 4.2.1.3). Its extended key usage, if present, must allow client authentication or
    /// smart-card logon (section 4.2.1.12).
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
