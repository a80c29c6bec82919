// SPDX-License-Identifier: Apache-2.0
import Crypto
import Primitives
import ProviderCore
import Synchronization

/// A cache of access tokens whose signature was verified recently, by the SHA-256 of the token. A
/// repeated token costs a hash instead of a verification. The revocation status is read from the
/// store each time.
///
/// It is bounded by two generations: when the young one is full, it replaces the old one.
package final class VerifiedTokenCache: Sendable {
    private struct Entry {
        var claims: AccessTokenClaims
        var verifiedAt: Timestamp
    }

    private struct State {
        var young: [SHA256Digest: Entry] = [:]
        var old: [SHA256Digest: Entry] = [:]
    }

    private let state = Mutex(State())
    private let capacity: Int
    /// After this time the signature is verified again, so that a retired key has an effect.
    private static let freshness = TimeSpan.seconds(30)

    package init(capacity: Int = 4096) { self.capacity = capacity }

    /// The cached claims of `token`, or the result of `verify`.
    func claims(
        of token: String, now: Timestamp, verify: () async throws -> AccessTokenClaims?
    ) async throws -> AccessTokenClaims? {
        let key = SHA256.hash(data: Array(token.utf8))
        if let claims = find(key, now: now) { return claims }
        guard let claims = try await verify() else { return nil }
        state.withLock { state in
            if state.young.count >= capacity {
                state.old = state.young
                state.young = [:]
            }
            state.young[key] = Entry(claims: claims, verifiedAt: now)
        }
        return claims
    }

    /// Removes all entries. Called after a key was retired in this process.
    package func invalidate() { state.withLock { $0 = State() } }

    private func find(_ key: SHA256Digest, now: Timestamp) -> AccessTokenClaims? {
        state.withLock { state in
            guard let entry = state.young[key] ?? state.old[key],
                now - entry.verifiedAt < Self.freshness, now >= entry.verifiedAt
            else { return nil }
            return entry.claims
        }
    }
}

extension Provider {
    package var verifiedTokens: VerifiedTokenCache { component { VerifiedTokenCache() } }
}
