// SPDX-License-Identifier: Apache-2.0
import JOSE
import PlatformSSO
import Primitives
import Storage
import WebAuthn

/// A card certificate that leads to a root of the project and is that person's. Whether it still
/// holds is asked separately: that may take a while, and only whoever has shown the card's key is
/// worth it.
struct SmartCard: Sendable {
    let path: VerifiedCertificatePath
    let rule: CertificateMapping.Rule

    /// - Parameter certificates: DER as they came, the card's first.
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

    /// The key that a card's own certificate names, before anybody looks whether it is to be
    /// believed.
    static func key(of certificates: [[UInt8]]) throws(PlatformSSORefusal) -> PublicJWK {
        guard let chain = try? AttestationChain(der: certificates), let key = chain.leaf.publicKey
        else {
            throw PlatformSSORefusal(.certificateMalformed, "no certificate with a key to sign")
        }
        return key
    }

    private static func anchors(_ policy: SmartCardPolicy) -> TrustAnchors {
        // Nothing else than certificates is stored; what were none would trust nobody.
        (try? TrustAnchors(der: policy.roots.compactMap { Base64.decode($0) })) ?? .none
    }

    var userKey: UserKey { .smartCard(path.key, certificate: path.leaf.der) }

    /// What the audit trail says of it.
    var details: [(name: String, value: String)] {
        [("certificate", Hexadecimal.encode(path.leaf.fingerprint)), ("mapping", rule.rawValue)]
    }
}
