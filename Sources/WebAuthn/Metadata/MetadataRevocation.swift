// SPDX-License-Identifier: Apache-2.0
import Primitives

/// The revocation status of a BLOB's certificates by the configured lists.
struct MetadataRevocation: Sendable {
    private let lists: [CertificateRevocationList]
    /// Whether each certificate must be covered by a current list of its issuer.
    private let isRequired: Bool

    var hasLists: Bool { !lists.isEmpty }

    init(lists: [[UInt8]], isRequired: Bool) throws(MetadataRefusal) {
        self.isRequired = isRequired
        var read: [CertificateRevocationList] = []
        for (index, der) in lists.enumerated() {
            do { read.append(try CertificateRevocationList(der: der)) } catch {
                throw MetadataRefusal(.revocationListInvalid, "list \(index): \(error)")
            }
        }
        self.lists = read
    }

    /// - Parameter chain: Leaf first, root last. A root is revoked by taking it away.
    func check(_ chain: [AttestationCertificate], now: Timestamp) throws(MetadataRefusal) {
        for (certificate, issuer) in zip(chain, chain.dropFirst()) {
            let own = lists.filter { $0.isIssued(by: issuer.certificate) }
            // A list that is out of date cannot clear a certificate, but it can condemn one.
            if own.contains(where: { $0.lists(certificate) }) {
                throw MetadataRefusal(.certificateRevoked, "\(certificate.subjectText)")
            }
            guard !isRequired || own.contains(where: { $0.isCurrent(at: now) }) else {
                throw MetadataRefusal(.revocationUnknown, "no list for \(certificate.subjectText)")
            }
        }
    }
}
