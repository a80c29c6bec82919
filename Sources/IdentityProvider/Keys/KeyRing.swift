// SPDX-License-Identifier: Apache-2.0
import Dispatch
package import JOSE
package import Primitives
package import Storage

/// The signing keys of every project: made when they are first needed, cached for half a minute.
///
/// A project has one active key and one next key for each algorithm, so relying parties know a key
/// before it signs. RSA keys are made only when a client asks for RS256.
package final class KeyRing: Sendable {
    private let store: any ProviderStore
    private let secrets: DerivedKeys
    private let clock: any WallClock
    private let random: any RandomSource
    private let cache = ExpiringCache<Identifier<Project>, ProjectKeys>(
        capacity: 20_000, freshness: .seconds(30))

    package init(
        store: any ProviderStore, secrets: DerivedKeys, clock: any WallClock,
        random: any RandomSource
    ) {
        self.store = store
        self.secrets = secrets
        self.clock = clock
        self.random = random
    }

    /// What signs new tokens of the project.
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

    /// What signs the project's assertions as a client of another provider.
    package func assertionSigner(for tenant: Tenant) async throws -> JOSESigner {
        guard let signer = try await keys(of: tenant).assertionSigner else {
            throw KeyRingError.cannotMakeKey(algorithm: JWSAlgorithm.es256.rawValue)
        }
        return signer
    }

    /// The JWK set (RFC 7517 section 5) as it is served.
    package func jwks(of tenant: Tenant) async throws -> [UInt8] {
        try await keys(of: tenant).document
    }

    /// Every key that may have signed a token that still lives; none of those for assertions.
    package func publishedKeys(of tenant: Tenant) async throws -> JWKSet {
        try await keys(of: tenant).published
    }

    /// Promotes the next key of that algorithm and adds a new next one. Tokens signed before stay
    /// valid: the old key stays published until it is retired.
    ///
    /// - Parameter store: the one that records it; `nil` for that of every day.
    /// - Returns: `false` when another process has just done it.
    package func rotate(
        _ algorithm: JWSAlgorithm, of tenant: Tenant, in store: (any ProviderStore)? = nil
    ) async throws -> Bool {
        _ = try await signer(for: tenant, algorithm: algorithm)
        let successor = try await makeKey(algorithm, for: tenant.project.id, state: .next)
        defer { cache.invalidate() }
        return try await (store ?? self.store).rotateSigningKey(
            of: tenant.project.id, algorithm: algorithm.rawValue, successor: successor,
            now: clock.now)
    }

    /// Publishes a retiring key no more: its tokens end now.
    package func retire(
        kid: String, of tenant: Tenant, in store: (any ProviderStore)? = nil
    ) async throws -> Bool {
        defer { cache.invalidate() }
        return try await (store ?? self.store).retireSigningKey(
            kid: kid, of: tenant.project.id, now: clock.now)
    }

    package func invalidate() { cache.invalidate() }

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

    /// Two processes may do this at once: the store keeps the first pair.
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

    /// Finding RSA primes takes up to a second: not on a thread that serves requests.
    static func generate(_ algorithm: JWSAlgorithm) async throws -> PrivateJWK {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(with: Result { try PrivateJWK.generate(for: algorithm) })
            }
        }
    }
}
