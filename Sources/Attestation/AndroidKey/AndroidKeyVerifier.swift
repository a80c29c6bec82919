// SPDX-License-Identifier: Apache-2.0
package import JOSE
package import WebAuthn

/// The certificates from `KeyStore.getCertificateChain` of an Android app: the key's own first,
/// DER.
package struct UnverifiedAndroidKey: Sendable {
    package let certificates: [[UInt8]]

    package init(certificates: [[UInt8]]) { self.certificates = certificates }
}

/// A verifier of Android key attestation for a key that an app registers (Android Developers,
/// "Verify hardware-backed key pairs with key attestation"). The WebAuthn statement of the same
/// name differs: see `WebAuthn/Attestation/Android/AndroidKeyAttestation`.
///
/// The challenge is `setAttestationChallenge`, which is fixed before the key exists. The
/// certificate contains the key, so a plain nonce binds as well as one that is derived from the
/// key.
package struct AndroidKeyVerifier: AttestationVerifier {
    package let policy: AndroidKeyPolicy
    package let roots: RootKeys

    package init(policy: AndroidKeyPolicy, roots: RootKeys = VendorRoots.androidKey) {
        self.policy = policy
        self.roots = roots
    }

    package func check(
        _ evidence: UnverifiedAndroidKey, expecting expectation: AttestationExpectation
    ) async throws(AttestationRefusal) -> VerifiedAndroidKey {
        // 1: the chain leads to Google's root and is not revoked.
        let chain = try AttestationChain.read(evidence.certificates)
        let attested = try AndroidKeyChain(chain, roots: roots, now: expectation.now)
        try policy.revocation.check(chain, now: expectation.now)
        // 2: for this challenge and this key.
        try expectation.requireChallenge(
            attested.description.attestationChallenge, "attestationChallenge")
        guard let key = chain.leaf.publicKey else {
            throw AttestationRefusal(.keyMismatch, "a key that no JWK carries here")
        }
        try expectation.requireKey(key)
        // 3: the hardware's statements about key, device and app satisfy the policy.
        let facts = try facts(of: attested)
        try policy.check(use: facts)
        try policy.check(device: facts)
        return VerifiedAndroidKey(
            key: key, application: try policy.application(of: facts), facts: facts)
    }

    private func facts(
        of attested: AndroidKeyChain
    ) throws(AttestationRefusal) -> AndroidKeyProperties {
        do {
            return try AndroidKeyProperties(
                attested.description, certifiedLevel: attested.certifiedLevel,
                trustsSoftware: policy.minimumLevel == .software)
        } catch { throw AttestationRefusal(.extensionMalformed, "the key description") }
    }
}

/// A key with a verified attestation of Android's key store. Only the verifier creates one.
package struct VerifiedAndroidKey: Sendable {
    package let key: PublicJWK
    package let application: AndroidApplication
    package let facts: AndroidKeyProperties

    fileprivate init(key: PublicJWK, application: AndroidApplication, facts: AndroidKeyProperties) {
        self.key = key
        self.application = application
        self.facts = facts
    }
}
