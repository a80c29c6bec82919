// SPDX-License-Identifier: Apache-2.0
package import JOSE
package import Primitives

/// A verifier of one kind of evidence of an app installation or a device.
///
/// Each format is one type: the input is `Unverified…`, the result is `Verified…`, and only the
/// verifier creates the latter. A verifier uses neither network nor clock: roots, lists, keys and
/// the time are arguments.
package protocol AttestationVerifier: Sendable {
    associatedtype Evidence: Sendable
    associatedtype Verified: Sendable

    /// Runs every check of the format, in the order of its specification.
    ///
    /// - Throws: The first check that failed.
    func check(
        _ evidence: Evidence, expecting: AttestationExpectation
    ) async throws(AttestationRefusal) -> Verified
}

extension AttestationVerifier {
    /// Verifies the evidence and returns the result as a value.
    package func verify(
        _ evidence: Evidence, expecting expectation: AttestationExpectation
    ) async -> Result<Verified, AttestationRefusal> {
        do throws(AttestationRefusal) {
            return .success(try await check(evidence, expecting: expectation))
        } catch { return .failure(error) }
    }
}

/// The values to which evidence must be bound.
package struct AttestationExpectation: Sendable {
    /// The required challenge in the evidence, if its format has one; `KeyBinding` of
    /// `AppRegistration` creates it. The caller must consume it first.
    package let challenge: [UInt8]
    /// The key that the evidence must certify. `nil` only if the format certifies no key, or a
    /// separate one, so that the challenge binds the key.
    package let key: PublicJWK?
    package let now: Timestamp

    package init(challenge: [UInt8], key: PublicJWK? = nil, now: Timestamp) {
        self.challenge = challenge
        self.key = key
        self.now = now
    }
}

extension AttestationExpectation {
    /// Checks that the evidence contains the challenge, in constant time.
    func requireChallenge(
        _ found: some Collection<UInt8>, _ place: String
    ) throws(AttestationRefusal) {
        guard !challenge.isEmpty, ConstantTime.equal(found, challenge) else {
            throw AttestationRefusal(.challengeMismatch, "\(place) is not the challenge")
        }
    }

    /// Checks that the evidence certifies the key to register.
    func requireKey(_ certified: PublicJWK?) throws(AttestationRefusal) {
        guard let key else {
            throw AttestationRefusal(.keyMismatch, "no key to register was named")
        }
        guard let certified, certified.material == key.material else {
            throw AttestationRefusal(.keyMismatch, "another key is certified")
        }
    }
}
