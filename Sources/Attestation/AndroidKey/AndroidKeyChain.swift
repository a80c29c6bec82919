// SPDX-License-Identifier: Apache-2.0
import Primitives
import WebAuthn

/// The certificates of an Android key, verified up to one of the root keys: see ``AndroidKeyPath``.
struct AndroidKeyChain {
    let chain: AttestationChain
    /// The key description of the leaf.
    let description: AndroidKeyDescription

    init(
        _ chain: AttestationChain, roots: RootKeys, now: Timestamp
    ) throws(AttestationRefusal) {
        self.chain = chain
        if let reason = AndroidKeyPath(chain).refusal(roots: roots, now: now) {
            throw AttestationRefusal(.chainUntrusted, reason)
        }
        description = try Self.description(of: chain)
    }

    /// The security level that the issuing certificates state; `nil` if they state none.
    ///
    /// A remotely provisioned certificate is issued for one level, which its organization names. Of
    /// factory certificates only those of StrongBox state it, in their names (Android CTS,
    /// `KeyAttestationTest`).
    var certifiedLevel: AndroidSecurityLevel? {
        guard let attester = chain.issuers.first, let top = chain.issuers.last else { return nil }
        if Self.isRemotelyProvisioned(top) {
            switch attester.subjectValues("2.5.4.10") {
            case ["TEE"]: return .trustedEnvironment
            case ["StrongBox"]: return .strongBox
            default: return .software
            }
        }
        let names = attester.subjectValues + top.subjectValues
        return names.contains { $0.lowercased().contains("strongbox") } ? .strongBox : nil
    }

    /// Whether the top certificate is Google's authority for remote provisioning.
    private static func isRemotelyProvisioned(_ top: AttestationCertificate) -> Bool {
        top.subjectValues("2.5.4.3") == ["Droid CA2"]
            && top.subjectValues("2.5.4.10") == ["Google LLC"]
    }

    private static func description(
        of chain: AttestationChain
    ) throws(AttestationRefusal) -> AndroidKeyDescription {
        guard !AndroidKeyPath(chain).isIssuerAttested else {
            throw AttestationRefusal(
                .extensionMisplaced, "an issuer is an attested key, so it cannot attest")
        }
        let identifier = AndroidKeyDescription.extensionIdentifier
        guard let value = chain.leaf.extensionValue(identifier) else {
            throw AttestationRefusal(.extensionMissing, "the leaf has no key description")
        }
        do { return try AndroidKeyDescription(der: value) } catch {
            throw AttestationRefusal(.extensionMalformed, "the key description")
        }
    }
}
