// SPDX-License-Identifier: Apache-2.0
import Crypto
import JOSE
import Primitives
import ProviderCore
import Synchronization

/// A cache of access tokens whose signature was verified recently, by the SHA-256 of the token. A
/// repeated token costs a hash instead of a verification. The key that signed it must be published
/// each time, and the revocation status is read from the store each time.
///
/// It is bounded by two generations: when the young one is full, it replaces the old one.
package final class VerifiedTokenCache: Sendable {
    private struct Entry {
        var token: SignedClaims
        var verifiedAt: Timestamp
    }

    /// The claims of a token with a valid signature, and the `kid` of the key.
    struct SignedClaims: Sendable {
        var claims: AccessTokenClaims
        var kid: String?
    }

    private struct State {
        var young: [SHA256Digest: Entry] = [:]
        var old: [SHA256Digest: Entry] = [:]
    }

    private let state = Mutex(State())
    private let capacity: Int
    /// After this time the signature is verified again.
    private static let freshness = TimeSpan.seconds(30)

    package init(capacity: Int = 4096) { self.capacity = capacity }

    /// The cached claims of `token` if `keys` has its key, or the result of `verify`.
    func claims(
        of token: String, keys: JWKSet, now: Timestamp,
        verify: () async throws -> SignedClaims?
    ) async throws -> AccessTokenClaims? {
        let hash = SHA256.hash(data: Array(token.utf8))
        if let found = find(hash, now: now), let kid = found.kid, keys.key(id: kid) != nil {
            return found.claims
        }
        guard let token = try await verify() else { return nil }
        state.withLock { state in
            if state.young.count >= capacity {
                state.old = state.young
                state.young = [:]
            }
            state.young[hash] = Entry(token: token, verifiedAt: now)
        }
        return token.claims
    }

    private func find(_ hash: SHA256Digest, now: Timestamp) -> SignedClaims? {
        state.withLock { state in
            guard let entry = state.young[hash] ?? state.old[hash],
                now - entry.verifiedAt < Self.freshness, now >= entry.verifiedAt
            else { return nil }
            return entry.token
        }
    }
}

extension Provider {
    package var verifiedTokens: VerifiedTokenCache { component { VerifiedTokenCache() } }
}
