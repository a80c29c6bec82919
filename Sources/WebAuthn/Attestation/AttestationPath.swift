// SPDX-License-Identifier: Apache-2.0
import Crypto
import Primitives
import SwiftASN1
@_spi(FixedExpiryValidationTime) import X509

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Attestation certificates in order, to be led to an anchor (RFC 5280 section 6).
struct AttestationPath {
    /// The attestation certificate first, no root among them.
    let certificates: [AttestationCertificate]
    /// Critical extensions of the attestation certificate that its format has judged.
    let judgedExtensions: [ASN1ObjectIdentifier]

    /// Processed by RFC 5280 section 6.1 with the initial values of section 6.1.1 that ask for no
    /// policy: every list of policies passes. Critical in certificates of Windows Hello's TPMs.
    private static let certificatePolicies: ASN1ObjectIdentifier = [2, 5, 29, 32]

    /// Why the path leads to no anchor, or `nil` when it does.
    func refusal(anchors: TrustAnchors, now: Timestamp) async -> String? {
        guard let leaf = certificates.first else { return "there is no certificate" }
        guard let date = now.validationDate else { return "no certificate is valid at that time" }
        // A batch certificate: the anchor is the attestation certificate itself.
        if anchors.certificates.contains(where: { $0.der == leaf.der }) {
            let certificate = leaf.certificate
            let isValid = certificate.notValidBefore <= date && date <= certificate.notValidAfter
            return isValid ? nil : "the certificate is not valid now"
        }
        if certificates.contains(where: \.isAmended) {
            return AmendedPath(path: self, handled: judgedExtensions + [Self.certificatePolicies])
                .refusal(anchors: anchors, now: now)
        }
        var verifier = Verifier(rootCertificates: anchors.store) {
            RFC5280Policy(fixedExpiryValidationTime: date)
            AttestationPathPolicy(
                verifyingCriticalExtensions: judgedExtensions + [Self.certificatePolicies])
        }
        let result = await verifier.validate(
            leaf: leaf.certificate,
            intermediates: CertificateStore(certificates.dropFirst().map(\.certificate)))
        switch result {
        case .validCertificate: return nil
        case .couldNotValidate(let failures):
            return failures.isEmpty
                ? "no anchor is reached" : "\(failures.map(\.policyFailureReason))"
        }
    }
}

/// What swift-certificates leaves open: it lets certificates of version 1 issue others, and does
/// not look at key usage. Nothing that comes with an attestation is old enough to need that.
struct AttestationPathPolicy: VerifierPolicy, Sendable {
    let verifyingCriticalExtensions: [ASN1ObjectIdentifier]

    func chainMeetsPolicyRequirements(
        chain: UnverifiedCertificateChain
    ) -> PolicyEvaluationResult {
        // The leaf issues nothing; the anchor is what the relying party says it is.
        for certificate in chain.dropFirst().dropLast() {
            guard certificate.version == .v3 else {
                return .failsToMeetPolicy(reason: "an intermediate is not of version 3")
            }
            let usage = try? certificate.extensions.keyUsage
            guard usage.map(\.keyCertSign) ?? true else {
                return .failsToMeetPolicy(reason: "an intermediate may sign no certificates")
            }
        }
        return .meetsPolicy
    }
}

extension AttestationCertificate {
    /// RFC 5280 section 4.2.1.2, method 1: SHA-1 of the bits of `subjectPublicKey`.
    var keyIdentifier: [UInt8] {
        Array(Insecure.SHA1.hash(data: certificate.publicKey.subjectPublicKeyInfoBytes))
    }
}
