// SPDX-License-Identifier: Apache-2.0
package import JOSE
package import Primitives
package import Storage

/// The outcome of a rotation.
package enum SigningKeyRotation: Sendable, Equatable {
    case rotated
    /// Relying parties that cache a JWK set know the next key from this time on.
    case tooEarly(until: Timestamp)
    /// Another process has rotated the keys concurrently.
    case conflict
}

/// How keys become active and end.
extension KeyRing {
    /// Promotes the next key of this algorithm and adds a new next key. Existing tokens stay valid:
    /// the old key is published for ``retention``.
    ///
    /// - Parameters:
    ///   - atOnce: also if relying parties may not know the next key. They refuse new tokens until
    ///     they fetch the JWK set again.
    ///   - store: a store that records an audit event; `nil` for the default store.
    package func rotate(
        _ algorithm: JWSAlgorithm, of tenant: Tenant, atOnce: Bool = false,
        in store: (any SigningKeyStore)? = nil
    ) async throws -> SigningKeyRotation {
        try await introduce(algorithm, for: tenant)
        if try await keys(of: tenant).records.next(algorithm) == nil {
            try await addKeys(algorithm, to: tenant.project.id, as: [.next])
        }
        let stored = try await stored(of: tenant)
        guard let next = stored.next(algorithm) else { return .conflict }
        let time = stored.publicationEnd(of: next)
        guard atOnce || time <= clock.now else { return .tooEarly(until: time) }
        let isRotated = try await promote(next, algorithm, of: tenant, in: store ?? self.store)
        return isRotated ? .rotated : .conflict
    }

    /// Retires a key. It is no longer published, so its tokens become invalid.
    package func retire(
        kid: String, of tenant: Tenant, in store: (any SigningKeyStore)? = nil
    ) async throws -> Bool {
        defer { invalidate() }
        return try await (store ?? self.store).retireSigningKey(
            kid: kid, of: tenant.project.id, now: clock.now)
    }

    /// Publishes the first key of an algorithm when a client is saved for it, so before a person
    /// signs in with the client. The key can sign at once: the ID tokens of the client must have this
    /// algorithm (OpenID Connect Dynamic Client Registration 1.0 section 2), and no relying party has a
    /// JWK set with another key of it.
    ///
    /// On the first day of a project its relying parties are being set up, and have no old JWK set.
    /// Then the key is created for the first token.
    package func announce(_ algorithm: JWSAlgorithm, for tenant: Tenant) async throws {
        guard !(try await stored(of: tenant).isFirstDay(clock.now)) else { return }
        try await introduce(algorithm, for: tenant)
    }

    /// Creates the first keys of an algorithm. Does nothing for an algorithm with an active key.
    func introduce(_ algorithm: JWSAlgorithm, for tenant: Tenant) async throws {
        guard try await keys(of: tenant).signer(algorithm) == nil else { return }
        try await addKeys(algorithm, to: tenant.project.id, as: [.active, .next])
    }

    /// Returns `false` if another process has promoted the key.
    private func promote(
        _ next: SigningKey, _ algorithm: JWSAlgorithm, of tenant: Tenant,
        in store: any SigningKeyStore
    ) async throws -> Bool {
        let successor = try await makeKey(
            algorithm, for: tenant.project.id, state: .next, now: clock.now)
        defer { invalidate() }
        return try await store.rotateSigningKey(
            of: tenant.project.id, promoting: next.kid, successor: successor, now: clock.now)
    }
}
