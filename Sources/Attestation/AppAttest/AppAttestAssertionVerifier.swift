// SPDX-License-Identifier: Apache-2.0
import Crypto
package import JOSE
import Primitives
import WebAuthn

/// A verifier of App Attest assertions: the app that registered the key has signed this request
/// (Apple, "Validating Apps That Connect to Your Server", "Verify the assertion").
package struct AppAttestAssertionVerifier: AttestationVerifier {
    /// The location of the challenge in the client data, whose format the app defines.
    package enum ChallengeLocation: Sendable, Equatable {
        /// The client data begin with the challenge. This is unambiguous because challenges have a
        /// fixed length.
        case prefix
        /// The client data are a JSON object with the challenge, in Base64url, as that member.
        case member(String)
    }

    /// Apps that may sign: App IDs, `TEAMID.bundle.id`.
    package let applications: [String]
    /// The key that was attested.
    package let key: PublicJWK
    /// The counter of the last assertion, 0 after the attestation. The caller saves the new one
    /// only if the stored one still equals this.
    package let counter: UInt32
    package let place: ChallengeLocation

    package init(
        applications: [String], key: PublicJWK, counter: UInt32, place: ChallengeLocation
    ) {
        self.applications = applications
        self.key = key
        self.counter = counter
        self.place = place
    }

    package func check(
        _ evidence: UnverifiedAppAttestAssertion, expecting expectation: AttestationExpectation
    ) async throws(AttestationRefusal) -> VerifiedAppAttestAssertion {
        // 1, 2: the nonce is the hash of the authenticator data and the client data hash.
        var hash = SHA256()
        hash.update(data: evidence.authenticatorData)
        hash.update(data: Array(SHA256.hash(data: evidence.clientData)))
        // 3: the signature covers the nonce, which ECDSA hashes again.
        guard let check = COSESignatureVerifier(key, algorithm: .es256) else {
            throw AttestationRefusal(.keyMismatch, "check 3: the key is not on P-256")
        }
        let nonce = Array(hash.finalize())
        guard check.isValid(signature: evidence.signature, over: nonce[...], []) else {
            throw AttestationRefusal(.signatureInvalid, "check 3: not by the attested key")
        }
        // 4: the app is accepted. 5: the counter has increased. 6: the challenge is the expected
        // one.
        let application = try AppAttestVerifier.application(
            by: evidence.applicationHash, among: applications, check: 4)
        guard evidence.counter > counter else {
            throw AttestationRefusal(
                .counterNotIncreased, "check 5: \(evidence.counter) after \(counter)")
        }
        try checkChallenge(evidence.clientData, expectation)
        return VerifiedAppAttestAssertion(application: application, counter: evidence.counter)
    }

    private func checkChallenge(
        _ clientData: [UInt8], _ expectation: AttestationExpectation
    ) throws(AttestationRefusal) {
        switch place {
        case .prefix:
            try expectation.requireChallenge(
                clientData.prefix(expectation.challenge.count), "check 6: the beginning")
        case .member(let name):
            let object = try? JSONParser.parseObject(clientData, maximumBytes: 65_536)
            guard let text = object?[name]?.string, let challenge = Base64URL.decode(text) else {
                throw AttestationRefusal(.challengeMismatch, "check 6: no member \(name)")
            }
            try expectation.requireChallenge(challenge, "check 6: the member \(name)")
        }
    }
}

/// A verified assertion by an attested key. Only the verifier creates one.
package struct VerifiedAppAttestAssertion: Sendable {
    /// The App ID.
    package let application: String
    /// Greater than the previous one; to be stored.
    package let counter: UInt32

    fileprivate init(application: String, counter: UInt32) {
        self.application = application
        self.counter = counter
    }
}
