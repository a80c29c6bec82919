// SPDX-License-Identifier: Apache-2.0
import X509

/// The certificates that this relying party trusts: roots, intermediates, or attestation
/// certificates themselves (batch certificates). Parsed once.
package struct TrustAnchors: Sendable {
    let certificates: [AttestationCertificate]
    /// The same as a store for path verification.
    let store: CertificateStore

    /// No anchor at all.
    package static let none = TrustAnchors([])

    /// - Parameter certificates: DER, each of one certificate.
    /// - Throws: ``AnchorError`` when one is not.
    package init(der certificates: [[UInt8]]) throws(AnchorError) {
        var read: [AttestationCertificate] = []
        for (index, der) in certificates.enumerated() {
            do {
                read.append(try AttestationCertificate(der: der))
            } catch { throw AnchorError(index: index, reason: "\(error)") }
        }
        self.init(read)
    }

    init(_ certificates: [AttestationCertificate]) {
        self.certificates = certificates
        store = CertificateStore(certificates.map(\.certificate))
    }

    /// Returns these and other anchors.
    func adding(_ others: TrustAnchors) -> TrustAnchors {
        if others.isEmpty { return self }
        return isEmpty ? others : TrustAnchors(certificates + others.certificates)
    }

    package var isEmpty: Bool { certificates.isEmpty }

    /// An anchor that is not the DER of a certificate.
    package struct AnchorError: Error, Sendable {
        /// The index of the certificate, from 0.
        package let index: Int
        package let reason: String
    }
}
