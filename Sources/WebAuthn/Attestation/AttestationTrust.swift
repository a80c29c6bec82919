// SPDX-License-Identifier: Apache-2.0
import Primitives
import SwiftASN1
@_spi(FixedExpiryValidationTime) import X509

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// How far a verified statement is trusted.
package enum AttestationTrust: String, Sendable, CaseIterable {
    /// There is nothing to trust: no statement, or the credential's own.
    case none
    /// Certified, but by nobody that this relying party was told to trust.
    case unanchored
    /// Certified by an anchor of this relying party.
    case anchored
}

extension AttestationPolicy {
    /// Steps 7.1.23 and 7.1.24: assess a verified statement.
    ///
    /// - Parameter now: The moment at which every certificate must be valid.
    func assess(
        _ statement: VerifiedStatement, now: Timestamp
    ) async throws(WebAuthnRefusal) -> AttestationTrust {
        let step = CeremonyStep(.registration, 24)
        switch statement.type {
        case .none:
            guard acceptsNone else {
                throw WebAuthnRefusal(step, .attestationNotAcceptable, "none is not accepted")
            }
            return .none
        case .selfAttestation:
            guard acceptsSelf else {
                throw WebAuthnRefusal(step, .attestationNotAcceptable, "self is not accepted")
            }
            return .none
        case .certified:
            // 7.1.23: the anchors are those of the policy.
            if anchors.isEmpty {
                guard acceptsUnanchored else {
                    throw WebAuthnRefusal(step, .attestationUntrusted, "there is no anchor")
                }
                return .unanchored
            }
            // 7.1.24: the certificate leads to an anchor, or is one.
            if let reason = await refusal(of: statement.trustPath, now: now) {
                throw WebAuthnRefusal(step, .attestationUntrusted, reason)
            }
            return .anchored
        }
    }

    /// Why the path leads to no anchor, or `nil` when it does.
    private func refusal(of path: [AttestationCertificate], now: Timestamp) async -> String? {
        guard let leaf = path.first else { return "there is no certificate" }
        let date = Date(timeIntervalSince1970: Double(now.milliseconds) / 1000)
        if anchors.contains(where: { $0.der == leaf.der }) {
            let certificate = leaf.certificate
            let isValid = certificate.notValidBefore <= date && date <= certificate.notValidAfter
            return isValid ? nil : "the certificate is not valid now"
        }
        var verifier = Verifier(rootCertificates: CertificateStore(anchors.map(\.certificate))) {
            RFC5280Policy(fixedExpiryValidationTime: date)
        }
        let result = await verifier.validate(
            leaf: leaf.certificate,
            intermediates: CertificateStore(path.dropFirst().map(\.certificate)))
        switch result {
        case .validCertificate: return nil
        case .couldNotValidate(let failures):
            return failures.isEmpty
                ? "no anchor is reached" : "\(failures.map(\.policyFailureReason))"
        }
    }
}
