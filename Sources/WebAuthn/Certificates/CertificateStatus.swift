// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// Whether a certificate has been taken back by who issued it.
package enum CertificateStatus: Sendable, Equatable {
    /// It stood when the word was given, which holds until then.
    case good(until: Timestamp)
    case revoked
    /// Nobody who may say has said anything that still holds.
    case unknown
}

/// Lists (RFC 5280 section 5) and responders' answers (RFC 6960) that somebody has at hand. They are
/// signed, so where they come from does not matter.
package struct RevocationData: Sendable {
    private var lists: [CertificateRevocationList] = []
    private var answers: [OCSPResponse] = []

    /// Between two clocks.
    private static let leeway = TimeSpan.minutes(5)
    /// How long an answer without `nextUpdate` holds.
    private static let shortest = TimeSpan.minutes(5)

    package init() {}

    /// Neither a list nor an answer, or one with more in it than is understood.
    package struct Unreadable: Error, Sendable {
        /// For the log.
        package let reason: String
    }

    /// Adds a revocation list or an answer, whichever it is. DER.
    package mutating func add(_ der: [UInt8]) throws(Unreadable) {
        let list: any Error
        do {
            lists.append(try CertificateRevocationList(der: der))
            return
        } catch { list = error }
        do { answers.append(try OCSPResponse(der: der)) } catch {
            throw Unreadable(reason: "no list (\(list)), no answer (\(error))")
        }
    }

    /// The best word on the certificate. What is out of date clears nothing, but a list or answer
    /// that condemns does so for ever.
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
