// SPDX-License-Identifier: Apache-2.0
import Dispatch
package import JOSE
package import Primitives
package import Storage

/// The signing keys of all projects. They are created when they are first needed and cached for 30
/// seconds.
///
/// A project has one active key and one next key for each algorithm, so relying parties know a key
/// before it signs (``publication``). RSA keys are created only if a client uses RS256.
package final class KeyRing: Sendable {
    let store: any SigningKeyStore
    private let secrets: DerivedKeys
    let clock: any WallClock
    private let random: any RandomSource
    private let cache = ExpiringCache<Identifier<Project>, ProjectKeys>(
        capacity: 20_000, freshness: .seconds(30))
    private let reloads = ReloadLimit()

    package init(
        store: any SigningKeyStore, secrets: DerivedKeys, clock: any WallClock,
        random: any RandomSource
    ) {
        self.store = store
        self.secrets = secrets
        self.clock = clock
        self.random = random
    }

    /// The signer of new tokens of the project. The first key of an algorithm is created for the
    /// first token, if no client was saved for it before (``announce(_:for:)``).
    package func signer(
        for tenant: Tenant, algorithm: JWSAlgorithm = .es256
    ) async throws -> JOSESigner {
        if let signer = try await keys(of: tenant).signer(algorithm) { return signer }
        try await introduce(algorithm, for: tenant)
        let keys = try await keys(of: tenant)
        guard let signer = keys.signer(algorithm) else {
            throw KeyRingError.cannotMakeKey(algorithm: algorithm.rawValue)
        }
        return signer
    }

    /// The signer of the assertions with which the project authenticates as a client of another
    /// provider.
    package func assertionSigner(for tenant: Tenant) async throws -> JOSESigner {
        guard let signer = try await keys(of: tenant).assertionSigner else {
            throw KeyRingError.cannotMakeKey(algorithm: JWSAlgorithm.es256.rawValue)
        }
        return signer
    }

    /// The keys that sign, as a JWK set (RFC 7517 section 5).
    package func jwks(of tenant: Tenant) async throws -> [UInt8] {
        try await keys(of: tenant).document
    }

    /// The keys that can have signed an unexpired token. It does not contain the keys for
    /// assertions.
    package func publishedKeys(of tenant: Tenant) async throws -> JWKSet {
        try await keys(of: tenant).published
    }

    /// The same for a token with a key ID. If the ID is unknown, the keys are read again (at most
    /// once in a second), because another process may just have rotated them.
    package func publishedKeys(of tenant: Tenant, naming kid: String?) async throws -> JWKSet {
        let keys = try await publishedKeys(of: tenant)
        guard let kid, !keys.keys.contains(where: { $0.parameters.keyID == kid }),
            reloads.permits(tenant.project.id, now: clock.now)
        else { return keys }
        cache.invalidate(tenant.project.id)
        return try await publishedKeys(of: tenant)
    }

    /// Called after the transaction of a change was committed.
    package func invalidate() { cache.invalidate() }

    /// The keys of the project at this moment. A rotated key whose time has ended is not among them,
    /// also if no process has retired it.
    func keys(of tenant: Tenant) async throws -> ProjectKeys {
        let (project, now) = (tenant.project.id, clock.now)
        if let keys = try await cached(project, now: now), keys.end > now { return keys }
        cache.invalidate(project)
        guard let keys = try await cached(project, now: now) else {
            throw KeyRingError.cannotMakeKey(algorithm: "ES256")
        }
        return keys
    }

    private func cached(
        _ project: Identifier<Project>, now: Timestamp
    ) async throws -> ProjectKeys? {
        try await cache.value(for: project, now: now) { try await load(project, now: now) }
    }

    private func load(_ project: Identifier<Project>, now: Timestamp) async throws -> ProjectKeys {
        var keys = try await store.signingKeys(of: project)
        if !keys.contains(where: { $0.algorithm == "ES256" && $0.state == .active }) {
            try await addKeys(.es256, to: project, as: [.active, .next])
            keys = try await store.signingKeys(of: project)
        }
        return try ProjectKeys(keys, secrets: secrets, now: now)
    }

    /// Two processes may call this concurrently: the store saves only the first key of each state.
    func addKeys(
        _ algorithm: JWSAlgorithm, to project: Identifier<Project>, as states: [SigningKey.State]
    ) async throws {
        // Keys of one time are published together (``publicationEnd(of:)``).
        let now = clock.now
        var keys: [SigningKey] = []
        for state in states {
            keys.append(try await makeKey(algorithm, for: project, state: state, now: now))
        }
        try await store.addSigningKeys(keys)
        cache.invalidate()
    }

    func makeKey(
        _ algorithm: JWSAlgorithm, for project: Identifier<Project>, state: SigningKey.State,
        now: Timestamp
    ) async throws -> SigningKey {
        let key = try await Self.generate(algorithm)
        let kid = key.keyID ?? key.publicKey.thumbprintText
        return SigningKey(
            id: Identifier(now: now, random: random), project: project, kid: kid,
            algorithm: algorithm.rawValue, state: state, publicJWK: key.publicKey.json.text,
            sealedPrivateKey: try secrets.seal(
                key.export(), context: ProjectKeys.context(kid: kid, project: project)),
            createdAt: now, changedAt: now)
    }

    /// Generates a key. It does not use a thread that serves requests, because RSA primes take up
    /// to one second.
    package static func generate(_ algorithm: JWSAlgorithm) async throws -> PrivateJWK {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(with: Result { try PrivateJWK.generate(for: algorithm) })
            }
        }
    }
}
