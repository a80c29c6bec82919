// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives

/// A classic token of the Play Integrity API: a compact JWE around a compact JWS.
package struct UnverifiedPlayIntegrityToken: Sendable {
    let jwe: UnverifiedJWE

    /// The maximum size of a token, in bytes.
    package static let maximumBytes = 32_768

    package init(_ token: String) throws(AttestationRefusal) {
        do {
            jwe = try UnverifiedJWE(compact: token, maximumBytes: Self.maximumBytes)
        } catch { throw AttestationRefusal(.evidenceMalformed, "no JWE: \(error.reason)") }
    }
}

/// Verifies classic Play Integrity tokens with the app's own keys, without asking Google (Android
/// Developers, "Decrypt and verify the integrity verdict").
///
/// The challenge is the `nonce` of the request (or its `requestHash`), in base64url. A token
/// certifies no key: only a challenge that was made over the key ties it to one, and an
/// expectation that names a key is refused.
package struct PlayIntegrityVerifier: AttestationVerifier {
    package let keys: PlayIntegrityKeys
    package let policy: PlayIntegrityPolicy

    package init(keys: PlayIntegrityKeys, policy: PlayIntegrityPolicy) {
        self.keys = keys
        self.policy = policy
    }

    package func check(
        _ evidence: UnverifiedPlayIntegrityToken, expecting expectation: AttestationExpectation
    ) async throws(AttestationRefusal) -> VerifiedPlayIntegrity {
        guard expectation.key == nil else {
            throw AttestationRefusal(.keyMismatch, "an integrity token certifies no key")
        }
        let verdict = try PlayIntegrityVerdict(json: try payload(of: evidence))
        try policy.check(request: verdict.request, expectation)
        let application = try policy.application(of: verdict)
        try policy.check(device: verdict)
        return VerifiedPlayIntegrity(application: application, verdict: verdict)
    }

    private func payload(
        of evidence: UnverifiedPlayIntegrityToken
    ) throws(AttestationRefusal) -> [UInt8] {
        let inner: [UInt8]
        do { inner = try keys.decrypter.decrypt(evidence.jwe).plaintext } catch {
            throw AttestationRefusal(.decryptionFailed, error.description)
        }
        do { return try keys.verifier.verify(compact: inner).payload } catch {
            throw AttestationRefusal(.signatureInvalid, error.description)
        }
    }
}

/// A verified verdict of Google on an app and its device. Only the verifier creates one.
package struct VerifiedPlayIntegrity: Sendable {
    /// `nil` if the app was not evaluated and the policy allows that.
    package let application: AndroidApplication?
    package let verdict: PlayIntegrityVerdict

    fileprivate init(application: AndroidApplication?, verdict: PlayIntegrityVerdict) {
        self.application = application
        self.verdict = verdict
    }
}
