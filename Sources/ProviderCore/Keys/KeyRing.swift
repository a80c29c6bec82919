// SPDX-License-Identifier: Apache-2.0
import Dispatch
package import JOSE
package import Primitives
package import Storage

/// The signing keys of all projects. They are created when they are first needed and cached for 30
/// seconds.
///
/// A project has one active key and one next key for each algorithm, so relying parties know a key
/// before it signs. RSA keys are created only if a client uses RS256.
package final class KeyRing: Sendable {
    private let store: any SigningKeyStore
    private let secrets: DerivedKeys
    private let clock: any WallClock
    private let random: any RandomSource
    private let cache = ExpiringCache<Identifier<Project>, ProjectKeys>(
        capacity: 20_000, freshness: .seconds(30))

    package init(
        store: any SigningKeyStore, secrets: DerivedKeys, clock: any WallClock,
        random: any RandomSource
    ) {
        self.store = store
        self.secrets = secrets
        self.clock = clock
        self.random = random
    }

    /// The signer of new tokens of the project.
    package func signer(
        for tenant: Tenant, algorithm: JWSAlgorithm = .es256
    ) async throws -> JOSESigner {
        if let signer = try await keys(of: tenant).signer(algorithm) { return signer }
        try await addKeys(algorithm, to: tenant.project.id)
        cache.invalidate()
        guard let signer = try await keys(of: tenant).signer(algorithm) else {
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

    /// The JWK set (RFC 7517 section 5) as it is published.
    package func jwks(of tenant: Tenant) async throws -> [UInt8] {
        try await keys(of: tenant).document
    }

    /// The keys that can have signed an unexpired token. It does not contain the keys for
    /// assertions.
    package func publishedKeys(of tenant: Tenant) async throws -> JWKSet {
        try await keys(of: tenant).published
    }

    /// Promotes the next key of this algorithm and adds a new next key. Existing tokens stay valid:
    /// the old key is published until it is retired.
    ///
    /// - Parameter store: a store that records an audit event; `nil` for the default store.
    /// - Returns: `false` if another process has rotated the keys concurrently.
    package func rotate(
        _ algorithm: JWSAlgorithm, of tenant: Tenant, in store: (any SigningKeyStore)? = nil
    ) async throws -> Bool {
        _ = try await signer(for: tenant, algorithm: algorithm)
        let successor = try await makeKey(algorithm, for: tenant.project.id, state: .next)
        defer { cache.invalidate() }
        return try await (store ?? self.store).rotateSigningKey(
            of: tenant.project.id, algorithm: algorithm.rawValue, successor: successor,
            now: clock.now)
    }

    /// Retires a key. It is no longer published, so its tokens become invalid.
    package func retire(
        kid: String, of tenant: Tenant, in store: (any SigningKeyStore)? = nil
    ) async throws -> Bool {
        defer { cache.invalidate() }
        return try await (store ?? self.store).retireSigningKey(
            kid: kid, of: tenant.project.id, now: clock.now)
    }

    private func keys(of tenant: Tenant) async throws -> ProjectKeys {
        let project = tenant.project.id
        let keys = try await cache.value(for: project, now: clock.now) {
            try await load(project)
        }
        guard let keys else { throw KeyRingError.cannotMakeKey(algorithm: "ES256") }
        return keys
    }

    private func load(_ project: Identifier<Project>) async throws -> ProjectKeys {
        var keys = try await store.signingKeys(of: project)
        if !keys.contains(where: { $0.algorithm == "ES256" && $0.state == .active }) {
            try await addKeys(.es256, to: project)
            keys = try await store.signingKeys(of: project)
        }
        return try ProjectKeys(keys, secrets: secrets)
    }

    /// Two processes may call this concurrently: the store saves only the first pair.
    private func addKeys(_ algorithm: JWSAlgorithm, to project: Identifier<Project>) async throws {
        try await store.addSigningKeys([
            try await makeKey(algorithm, for: project, state: .active),
            try await makeKey(algorithm, for: project, state: .next),
        ])
    }

    private func makeKey(
        _ algorithm: JWSAlgorithm, for project: Identifier<Project>, state: SigningKey.State
    ) async throws -> SigningKey {
        let key = try await Self.generate(algorithm)
        let kid = key.keyID ?? key.publicKey.thumbprintText
        let now = clock.now
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
