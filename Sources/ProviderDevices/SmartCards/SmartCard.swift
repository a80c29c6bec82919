// SPDX-License-Identifier: Apache-2.0
import JOSE
import PlatformSSO
import Primitives
import Storage
import WebAuthn

/// A card certificate with a path to a root of the project, mapped to a person. The revocation
/// status is determined separately, after the card has signed, because it may take a while.
struct SmartCard: Sendable {
    let path: VerifiedCertificatePath
    let rule: CertificateMapping.Rule

    /// - Parameter certificates: DER as received, the certificate of the card first.
    static func find(
        _ certificates: [[UInt8]], of person: Person?, _ policy: SmartCardPolicy, now: Timestamp
    ) async -> Result<SmartCard, PlatformSSORefusal> {
        let path: VerifiedCertificatePath
        do throws(VerifiedCertificatePath.Refusal) {
            path = try await VerifiedCertificatePath(
                der: certificates, anchors: anchors(policy), now: now)
        } catch {
            return .failure(PlatformSSORefusal(.certificateUntrusted, "\(error)"))
        }
        guard let person,
            let rule = CertificateMapping(policy).rule(giving: path.leaf, to: person)
        else {
            return .failure(
                PlatformSSORefusal(
                    .certificateUnmapped, "\(path.leaf.subjectText) is not this person's"))
        }
        return .success(SmartCard(path: path, rule: rule))
    }

    /// The public key of the card's certificate, before the certificate is verified.
    static func key(of certificates: [[UInt8]]) throws(PlatformSSORefusal) -> PublicJWK {
        guard let chain = try? AttestationChain(der: certificates), let key = chain.leaf.publicKey
        else {
            throw PlatformSSORefusal(.certificateMalformed, "no certificate with a key to sign")
        }
        return key
    }

    private static func anchors(_ policy: SmartCardPolicy) -> TrustAnchors {
        // The stored values are valid certificates. If they are not, no certificate is trusted.
        (try? TrustAnchors(der: policy.roots.compactMap { Base64.decode($0) })) ?? .none
    }

    var userKey: UserKey { .smartCard(path.key, certificate: path.leaf.der) }

    /// The details for the audit event.
    var details: [(name: String, value: String)] {
        [("certificate", Hexadecimal.encode(path.leaf.fingerprint)), ("mapping", rule.rawValue)]
    }
}
