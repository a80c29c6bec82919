// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import Crypto
import JOSE
import OAuth
import Primitives
import Storage

/// Judges the proof that came with a request (RFC 9449 section 4.3): one rule for the token endpoint
/// and for everything that access tokens open.
///
/// A proof is of the minute around its `iat`, or carries a nonce of ours, which says when it was
/// made whatever the sender's clock says. It is used once, anywhere.
///
/// Anyone can make a key and prove it, so ``check(with:)`` writes nothing. ``use(_:)`` writes the mark,
/// and is called only once a token, a code or a key of ours is found genuine.
struct DPoPVerifier: Sendable {
    let provider: Provider
    let tenant: Tenant
    let facts: RequestMetadata

    /// How far `iat` may be from now, in seconds.
    private static let tolerance: Int64 = 60
    /// Longer than any proof can be fresh.
    private static let memory = TimeSpan.seconds(StatelessNonce.lifetime + 120)

    /// A key that a request has proven.
    struct Proven: Sendable {
        /// RFC 7638, in base64url.
        let thumbprint: String
        fileprivate let use: OneTimeUse
    }

    /// The key that was proven; `nil` when no proof came. Writes nothing.
    ///
    /// - Parameter accessToken: That the request shows; the proof must be made for it (`ath`).
    func check(with accessToken: String? = nil) -> Result<Proven?, Refusal> {
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

    /// Consumes the proof, before what it is shown for takes effect: `nil` for its first use.
    func use(_ proven: Proven) async throws -> Refusal? {
        let isFirst = try await provider.store.markUsed(
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

    /// The mark outlives every time at which the proof could count.
    private func use(of proof: DPoPProof) -> OneTimeUse {
        let key = SHA256.hash(data: Array("\(proof.thumbprint) \(proof.identifier)".utf8))
        return OneTimeUse(
            OneTimeIdentifier(.possessionProof, key: Array(key)), until: facts.now + Self.memory)
    }

    private var nonces: StatelessNonce {
        StatelessNonce(for: .proof, of: tenant, in: provider, now: facts.now)
    }

    /// Section 8: with it, whoever's clock is wrong can go on.
    private func newNonceNeeded(_ reason: String) -> Refusal {
        var refusal = Refusal(
            ErrorCode.useDPoPNonce, "Make another proof, with the nonce of DPoP-Nonce.",
            reason: reason)
        refusal.proofNonce = nonces.issue().nonce
        return refusal
    }

    static func invalid(_ reason: String) -> Refusal {
        Refusal(
            ErrorCode.invalidDPoPProof,
            "The DPoP proof is missing, wrong, used before, or made for another request.",
            reason: reason)
    }
}
