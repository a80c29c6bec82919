// SPDX-License-Identifier: Apache-2.0
import Crypto
import Primitives
import Synchronization

/// Access tokens whose signature was right a moment ago, by the SHA-256 of the token: a token that
/// is shown again costs a hash instead of a signature check. Whether it still stands is asked of
/// the store each time.
///
/// Bounded by two generations: when the young one is full it becomes the old one, and the old one
/// is forgotten.
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
    /// After this the signature is checked again, so a retired key is noticed.
    private static let freshness = TimeSpan.seconds(30)

    package init(capacity: Int = 4096) { self.capacity = capacity }

    /// The claims of `token`, from a moment ago or from `verify`.
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

    /// Forgets everything: after a key was retired here.
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
