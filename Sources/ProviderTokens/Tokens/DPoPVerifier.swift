// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import Crypto
import JOSE
import OAuth
import Primitives
package import ProviderCore
import Storage

/// Verifies the DPoP proof of a request (RFC 9449 section 4.3). The token endpoint and all
/// resources use the same rules.
///
/// A proof is valid within 60 seconds of its `iat`, or with a nonce of this provider, which
/// contains its issuance time. All endpoints together accept a proof once.
///
/// An unauthenticated client can create keys and proofs, so ``check(with:)`` stores nothing.
/// ``use(_:)`` consumes the proof, and is called only after a token, a code or a registered key was
/// verified.
package struct DPoPVerifier: Sendable {
    package let provider: Provider
    package let tenant: Tenant
    package let facts: RequestMetadata

    package init(provider: Provider, tenant: Tenant, facts: RequestMetadata) {
        self.provider = provider
        self.tenant = tenant
        self.facts = facts
    }

    /// Maximum difference between `iat` and the current time, in seconds.
    private static let tolerance: Int64 = 60
    /// The time for which a consumed proof is stored. It is longer than any validity of a proof.
    private static let memory = TimeSpan.seconds(StatelessNonce.lifetime + 120)

    /// A key that a request has proven.
    package struct Proven: Sendable {
        /// The thumbprint (RFC 7638) in base64url.
        package let thumbprint: String
        fileprivate let use: OneTimeUse
    }

    /// Verifies the proof and returns its key; `nil` without a proof. It stores nothing.
    ///
    /// - Parameter accessToken: The access token of the request, to which the proof must be bound
    ///   (`ath`).
    package func check(with accessToken: String? = nil) -> Result<Proven?, Refusal> {
        guard let presented = facts.proof else { return .success(nil) }
        guard presented.fields.count == 1, let text = presented.fields.first else {
            return .failure(Self.invalid("more than one proof"))
        }
        let proof: DPoPProof
        do throws(DPoPProofError) {
            proof = try DPoPProof(
                compact: text, method: presented.method, address: presented.address)
        } catch {
            return .failure(Self.invalid("a proof whose \(error.rawValue) is wrong"))
        }
        if let accessToken {
            let hash = Base64URL.encode(Array(SHA256.hash(data: Array(accessToken.utf8))))
            guard proof.accessTokenHash?.hasSameBytes(as: hash) == true else {
                return .failure(Self.invalid("a proof for another access token"))
            }
        }
        if let refusal = staleness(of: proof) { return .failure(refusal) }
        return .success(Proven(thumbprint: proof.thumbprint, use: use(of: proof)))
    }

    /// Consumes the proof before the request takes effect. Returns `nil` for its first use.
    package func use(_ proven: Proven) async throws -> Refusal? {
        let isFirst = try await provider.store.challenges.markUsed(
            proven.use.mark, expiresAt: proven.use.expiresAt)
        return isFirst ? nil : Self.invalid("a proof that was used before")
    }

    private func staleness(of proof: DPoPProof) -> Refusal? {
        if let nonce = proof.nonce {
            return nonces.check(nonce) == nil ? newNonceNeeded("not our nonce") : nil
        }
        // The subtraction saturates: `iat` may be any number.
        let age = (facts.now - Timestamp(seconds: proof.issuedAt)).seconds
        return abs(age) <= Self.tolerance ? nil : newNonceNeeded("made \(age) seconds ago")
    }

    /// The stored identifier expires after the proof.
    private func use(of proof: DPoPProof) -> OneTimeUse {
        let key = SHA256.hash(data: Array("\(proof.thumbprint) \(proof.identifier)".utf8))
        return OneTimeUse(
            OneTimeIdentifier(.possessionProof, key: Array(key)), until: facts.now + Self.memory)
    }

    private var nonces: StatelessNonce {
        StatelessNonce(for: .proof, of: tenant, in: provider, now: facts.now)
    }

    /// Section 8: with the nonce, a client whose clock is wrong can retry.
    private func newNonceNeeded(_ reason: String) -> Refusal {
        var refusal = Refusal(
            ErrorCode.useDPoPNonce, "Make another proof, with the nonce of DPoP-Nonce.",
            reason: reason)
        refusal.proofNonce = nonces.make()
        return refusal
    }

    static func invalid(_ reason: String) -> Refusal {
        Refusal(
            ErrorCode.invalidDPoPProof,
            "The DPoP proof is missing, wrong, used before, or made for another request.",
            reason: reason)
    }
}
