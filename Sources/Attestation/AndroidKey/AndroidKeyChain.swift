// SPDX-License-Identifier: Apache-2.0
import Primitives
import WebAuthn

/// The path of an Android key to one of the root keys.
///
/// Not by RFC 5280: chains of older devices break it (authorities without basic constraints,
/// path lengths that do not add up), so what is checked is what Google's own verifier checks
/// (android/keyattestation): each certificate is issued by the next, the last by a root key, and
/// all but the leaf are valid now. Certificates that were put into the device in the factory may have
/// expired, because their keys cannot be replaced. The leaf's period is written by the device, whose
/// clock may be wrong; the challenge says that the key is new.
struct AndroidKeyChain {
    let chain: AttestationChain
    /// The key description of the leaf.
    let description: AndroidKeyDescription

    init(
        _ chain: AttestationChain, roots: RootKeys, now: Timestamp
    ) throws(AttestationRefusal) {
        self.chain = chain
        try Self.checkSignatures(chain, roots)
        try Self.checkPeriods(chain, now)
        description = try Self.description(of: chain)
    }

    /// What the issuing certificates say of the attestation; `nil` when they say nothing.
    ///
    /// A remotely provisioned one is issued for one level, which its organization names. Of factory
    /// ones only those of StrongBox say so, in their names (Android CTS, `KeyAttestationTest`).
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

    /// Below the root stands Google's authority for remote provisioning.
    private static func isRemotelyProvisioned(_ top: AttestationCertificate) -> Bool {
        top.subjectValues("2.5.4.3") == ["Droid CA2"]
            && top.subjectValues("2.5.4.10") == ["Google LLC"]
    }

    /// The certificate below the root is of one batch of devices, which its serial number names.
    private static func isFactoryProvisioned(_ top: AttestationCertificate) -> Bool {
        !top.subjectValues("2.5.4.5").isEmpty
    }

    private static func checkPeriods(
        _ chain: AttestationChain, _ now: Timestamp
    ) throws(AttestationRefusal) {
        let mayBeExpired = chain.issuers.last.map(isFactoryProvisioned) ?? false
        for issuer in chain.issuers where !issuer.isValid(at: now) {
            guard mayBeExpired, issuer.period.to < now.seconds else {
                throw AttestationRefusal(.chainUntrusted, "an issuer is not valid now")
            }
        }
    }

    private static func checkSignatures(
        _ chain: AttestationChain, _ roots: RootKeys
    ) throws(AttestationRefusal) {
        let certificates = chain.certificates
        for (subject, issuer) in zip(certificates, certificates.dropFirst())
        where !subject.isIssued(by: issuer) {
            throw AttestationRefusal(.chainUntrusted, "a certificate is not by its issuer")
        }
        // Every device has at least one key of its own below the root.
        guard let top = chain.issuers.last, roots.haveSigned(top) else {
            throw AttestationRefusal(.chainUntrusted, "no root key has signed the chain")
        }
    }

    /// The description nearest the root is the hardware's. Whoever has an attested key can issue
    /// further certificates with descriptions of their own; so it must be in the leaf, and nowhere
    /// else.
    private static func description(
        of chain: AttestationChain
    ) throws(AttestationRefusal) -> AndroidKeyDescription {
        let identifier = AndroidKeyDescription.extensionIdentifier
        guard chain.issuers.allSatisfy({ $0.extensionValue(identifier) == nil }) else {
            throw AttestationRefusal(
                .extensionMisplaced, "an issuer is an attested key, so it cannot attest")
        }
        guard let value = chain.leaf.extensionValue(identifier) else {
            throw AttestationRefusal(.extensionMissing, "the leaf has no key description")
        }
        do { return try AndroidKeyDescription(der: value) } catch {
            throw AttestationRefusal(.extensionMalformed, "the key description")
        }
    }
}
