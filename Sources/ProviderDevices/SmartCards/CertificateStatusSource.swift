// SPDX-License-Identifier: Apache-2.0
import Logging
import PlatformSSO
import Primitives
import ProviderCore
import Storage
import WebAuthn

/// Determines the revocation status of the certificates of a path: from the data in the project's
/// policy, then from the responder and the list that the certificate names, if the policy allows
/// their host.
///
/// Lists and responses are signed, so they are fetched over plain HTTP too, as authorities publish
/// them (RFC 5280 section 8).
struct CertificateStatusSource {
    /// The fetched data by URL and certificate.
    typealias Cache = ExpiringCache<String, [UInt8]>

    let provider: Provider
    let policy: SmartCardPolicy
    let now: Timestamp

    private static let maximumListLength = 4 << 20
    private static let maximumResponseLength = 65_536
    /// Timeout in seconds for one exchange. It is short, because a person waits at a locked screen.
    private static let patience: Int64 = 4
    private static let maximumURLs = 3

    /// Returns the refusal of the path, or `nil` if no certificate is revoked.
    func refusal(of path: VerifiedCertificatePath) async -> PlatformSSORefusal? {
        guard policy.revocation != .off else { return nil }
        var evidence = RevocationData()
        for text in policy.evidence {
            if let der = Base64.decode(text) { try? evidence.add(der) }
        }
        for (certificate, issuer) in zip(path.certificates, path.certificates.dropFirst()) {
            switch await status(of: certificate, issuer, &evidence) {
            case .good: continue
            case .revoked:
                return PlatformSSORefusal(.certificateRevoked, certificate.subjectText)
            case .unknown where policy.revocation == .required:
                return PlatformSSORefusal(
                    .certificateStatusUnknown, "nothing current about \(certificate.subjectText)")
            case .unknown: continue
            }
        }
        return nil
    }

    private func status(
        of certificate: AttestationCertificate, _ issuer: AttestationCertificate,
        _ evidence: inout RevocationData
    ) async -> CertificateStatus {
        var status = evidence.status(of: certificate, issuer: issuer, now: now)
        let question = OCSPRequest(certificate, issuer: issuer)
        let sources =
            certificate.responderAddresses.map { ($0, question as OCSPRequest?) }
            + certificate.revocationListAddresses.map { ($0, nil) }
        for (address, question) in sources.prefix(Self.maximumURLs) where status == .unknown {
            guard let der = await fetch(address, question) else { continue }
            do throws(RevocationData.ParseError) { try evidence.add(der) } catch {
                note(address, error.reason)
            }
            status = evidence.status(of: certificate, issuer: issuer, now: now)
        }
        return status
    }

    /// - Parameter question: The request to a responder; `nil` for a list.
    private func fetch(_ address: String, _ question: OCSPRequest?) async -> [UInt8]? {
        guard let place = OutgoingURL.ofSignedContent(address),
            policy.hosts.contains(place.host.lowercased())
        else { return nil }
        let key = address + " " + Base64URL.encode(question?.certificateID ?? [])
        do {
            return try await provider.certificateStatus.value(for: key, now: now) {
                try await ask(place, question)
            }
        } catch {
            note(address, "\(error)")
            return nil
        }
    }

    private func ask(_ place: OutgoingURL, _ question: OCSPRequest?) async throws -> [UInt8]? {
        let request =
            if let question {
                OutgoingRequest(
                    "POST", place, headers: [("Content-Type", OCSPRequest.requestType)],
                    body: question.encoded, maximumResponseLength: Self.maximumResponseLength,
                    seconds: Self.patience)
            } else {
                OutgoingRequest(
                    "GET", place, maximumResponseLength: Self.maximumListLength,
                    seconds: Self.patience)
            }
        let answer = try await provider.http.send(request)
        guard answer.status == 200 else {
            note(place.text, "status \(answer.status)")
            return nil
        }
        return answer.body
    }

    private func note(_ address: String, _ reason: String) {
        provider.log.warning(
            "certificate revocation status unavailable",
            metadata: ["address": "\(address)", "reason": "\(reason)"])
    }
}

extension Provider {
    fileprivate var certificateStatus: CertificateStatusSource.Cache {
        component { CertificateStatusSource.Cache(capacity: 256, freshness: .minutes(5)) }
    }
}
