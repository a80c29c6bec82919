// SPDX-License-Identifier: Apache-2.0
package import JOSE
import Primitives
package import WebAuthn

/// The certificates that `KeyStore.getCertificateChain` hands to an Android app: the key's own
/// first, DER.
package struct UnverifiedAndroidKey: Sendable {
    package let certificates: [[UInt8]]

    package init(certificates: [[UInt8]]) { self.certificates = certificates }
}

/// Verifies Android key attestation as proof for a key that an app registers (Android Developers,
/// "Verify hardware-backed key pairs with key attestation"). The WebAuthn statement of the same
/// name is another thing: `WebAuthn/Attestation/AndroidKeyAttestation`.
///
/// The challenge is `setAttestationChallenge`, which is fixed before there is a key. The
/// certificate names the key, so a bare nonce binds as well here as one that was made over the key.
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
        // 1: Google vouches for the chain, and has not taken it back.
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
        // 3: what the hardware says of the key, the device and the app is what policy wants.
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
                believesSoftware: policy.minimumLevel == .software)
        } catch { throw AttestationRefusal(.extensionMalformed, "the key description") }
    }
}

/// A key that Android's key store vouches for. Only the verifier makes one.
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
