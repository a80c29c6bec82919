// SPDX-License-Identifier: Apache-2.0
package import JOSE
package import Primitives

/// Verifies one kind of evidence that an app installation or a machine is what it says.
///
/// Each format is one type: what came in is `Unverified…`, what goes out is `Verified…`, and only
/// the verifier can make the second. Nothing here asks the network or a clock: roots, lists, keys
/// and the time are given.
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
    /// The verdict as a value.
    package func verify(
        _ evidence: Evidence, expecting expectation: AttestationExpectation
    ) async -> Result<Verified, AttestationRefusal> {
        do throws(AttestationRefusal) {
            return .success(try await check(evidence, expecting: expectation))
        } catch { return .failure(error) }
    }
}

/// What evidence must be bound to.
package struct AttestationExpectation: Sendable {
    /// The bytes that must stand in the evidence where its format has a place for a challenge;
    /// `KeyBinding` of `AppRegistration` makes them. Whoever calls takes them out of use first.
    package let challenge: [UInt8]
    /// The key that the evidence itself must certify. `nil` only where the format certifies
    /// none, or a key of its own, and the challenge does the binding.
    package let key: PublicJWK?
    package let now: Timestamp

    package init(challenge: [UInt8], key: PublicJWK? = nil, now: Timestamp) {
        self.challenge = challenge
        self.key = key
        self.now = now
    }
}

extension AttestationExpectation {
    /// The challenge came back. In constant time, though nothing of it is secret by then.
    func requireChallenge(
        _ found: some Collection<UInt8>, _ place: String
    ) throws(AttestationRefusal) {
        guard !challenge.isEmpty, ConstantTime.equal(found, challenge) else {
            throw AttestationRefusal(.challengeMismatch, "\(place) is not the challenge")
        }
    }

    /// The evidence certifies the key that is to be registered.
    func requireKey(_ certified: PublicJWK?) throws(AttestationRefusal) {
        guard let key else {
            throw AttestationRefusal(.keyMismatch, "no key to register was named")
        }
        guard let certified, certified.material == key.material else {
            throw AttestationRefusal(.keyMismatch, "another key is certified")
        }
    }
}
