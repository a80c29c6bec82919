// SPDX-License-Identifier: Apache-2.0
import SwiftASN1
import X509

/// Certificates that are trusted because this relying party has them: roots, intermediates, or
/// attestation certificates themselves (batch certificates). Parsed once.
package struct TrustAnchors: Sendable {
    let certificates: [AttestationCertificate]

    /// No anchor at all.
    package static let none = TrustAnchors()

    /// - Parameter certificates: DER, each of one certificate.
    /// - Throws: ``AnchorError`` when one is not.
    package init(der certificates: [[UInt8]]) throws(AnchorError) {
        var read: [AttestationCertificate] = []
        for (index, der) in certificates.enumerated() {
            do {
                read.append(
                    AttestationCertificate(
                        der: der, certificate: try Certificate(derEncoded: der)))
            } catch { throw AnchorError(index: index, reason: "\(error)") }
        }
        self.certificates = read
    }

    private init() { certificates = [] }

    package var isEmpty: Bool { certificates.isEmpty }

    /// An anchor that is not the DER of a certificate.
    package struct AnchorError: Error, Sendable {
        /// Which one, from 0.
        package let index: Int
        package let reason: String
    }
}
