// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// The revocation status of a certificate.
package enum CertificateStatus: Sendable, Equatable {
    /// The certificate was good when the status was issued; the status is valid until then.
    case good(until: Timestamp)
    case revoked
    /// There is no valid status from an authorized issuer.
    case unknown
}

/// Revocation lists (RFC 5280 section 5) and OCSP responses (RFC 6960). They are signed, so their
/// source does not matter.
package struct RevocationData: Sendable {
    private var lists: [CertificateRevocationList] = []
    private var answers: [OCSPResponse] = []

    /// The accepted clock skew.
    private static let leeway = TimeSpan.minutes(5)
    /// The validity of a response without `nextUpdate`.
    private static let shortest = TimeSpan.minutes(5)

    package init() {}

    /// The data is neither a list nor a response, or contains unsupported parts.
    package struct ParseError: Error, Sendable {
        /// For the log.
        package let reason: String
    }

    /// Adds a revocation list or an OCSP response in DER.
    package mutating func add(_ der: [UInt8]) throws(ParseError) {
        let list: any Error
        do {
            lists.append(try CertificateRevocationList(der: der))
            return
        } catch { list = error }
        do { answers.append(try OCSPResponse(der: der)) } catch {
            throw ParseError(
                reason: "neither a revocation list (\(list)) nor an OCSP response (\(error))")
        }
    }

    /// Returns the status of a certificate. An expired list or response cannot prove that the
    /// certificate is good, but a revocation stays valid after expiry.
    package func status(
        of certificate: AttestationCertificate, issuer: AttestationCertificate, now: Timestamp
    ) -> CertificateStatus {
        var end: Timestamp?
        for list in lists where list.isIssued(by: issuer.certificate) {
            if list.lists(certificate) { return .revoked }
            guard let next = list.nextUpdate, list.isCurrent(at: now) else { continue }
            end = max(end ?? next, next)
        }
        let question = OCSPRequest(certificate, issuer: issuer)
        for answer in answers {
            for single in answer.singles where question.names.contains(single.certificateID) {
                guard answer.isBy(issuer, now: now) else { continue }
                if single.word == .revoked { return .revoked }
                let next = single.nextUpdate ?? single.thisUpdate + Self.shortest
                guard single.word == .good, single.thisUpdate <= now + Self.leeway, now <= next
                else { continue }
                end = max(end ?? next, next)
            }
        }
        return end.map { .good(until: $0) } ?? .unknown
    }
}
