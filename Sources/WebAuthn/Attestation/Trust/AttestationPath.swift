// SPDX-License-Identifier: Apache-2.0
import Crypto
import Primitives
import SwiftASN1
import X509

/// Attestation certificates in order, to be verified up to an anchor (RFC 5280 section 6).
struct AttestationPath {
    /// The attestation certificate first, no root among them.
    let certificates: [AttestationCertificate]
    /// Critical extensions of the attestation certificate that its format has verified.
    let verifiedExtensions: [ASN1ObjectIdentifier]
    /// Whether Google's rule for keys of Android also applies: see ``AndroidKeyPath``.
    var isAndroidKey = false

    /// Processed by RFC 5280 section 6.1 with the initial values of section 6.1.1 that require no
    /// policy: every list of policies passes. Critical in certificates of Windows Hello's TPMs.
    private static let certificatePolicies: ASN1ObjectIdentifier = [2, 5, 29, 32]

    /// Returns why the path does not lead to an anchor, or `nil` if it does.
    func refusal(anchors: TrustAnchors, now: Timestamp) async -> String? {
        guard let leaf = certificates.first else { return "there is no certificate" }
        // A batch certificate: the anchor is the attestation certificate itself.
        if anchors.certificates.contains(where: { $0.der == leaf.der }) {
            return leaf.isValid(at: now) ? nil : "the certificate is not valid now"
        }
        if isAndroidKey, AndroidKeyPath(certificates).leadsToGoogle(in: anchors, now: now) {
            return nil
        }
        let path = AnchoredPath(
            certificates: certificates,
            verifiedExtensions: verifiedExtensions + [Self.certificatePolicies])
        do throws(AnchoredPath.Refusal) {
            _ = try await path.chain(anchors: anchors, now: now)
            return nil
        } catch { return error.reason }
    }
}

/// The checks that swift-certificates does not make.
///
/// It lets certificates of version 1 issue others and ignores key usage. Attestation certificates
/// are never old enough to need that.
struct AttestationPathPolicy: VerifierPolicy, Sendable {
    let verifyingCriticalExtensions: [ASN1ObjectIdentifier]

    func chainMeetsPolicyRequirements(
        chain: UnverifiedCertificateChain
    ) -> PolicyEvaluationResult {
        // The leaf issues no certificate; the relying party decides what an anchor is.
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
