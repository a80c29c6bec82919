// SPDX-License-Identifier: Apache-2.0
package import JOSE
package import PlatformSSO
package import Primitives
package import Storage

/// The provider's encryption keys of each project: made when they are first needed, cached for
/// half a minute. Devices encrypt passwords to them, and prove their own encryption keys with
/// them; they sign nothing.
package final class EncryptionKeyRing: Sendable {
    private let store: any ProviderStore
    private let secrets: DerivedKeys
    private let clock: any WallClock
    private let random: any RandomSource
    private let cache = ExpiringCache<Identifier<Project>, [PrivateJWK]>(
        capacity: 20_000, freshness: .seconds(30))

    init(
        store: any ProviderStore, secrets: DerivedKeys, clock: any WallClock,
        random: any RandomSource
    ) {
        self.store = store
        self.secrets = secrets
        self.clock = clock
        self.random = random
    }

    /// The one in use, then those that it took the place of.
    package func keys(of tenant: Tenant) async throws -> [PrivateJWK] {
        let project = tenant.project.id
        return try await cache.value(for: project, now: clock.now) {
            try await load(of: project)
        } ?? []
    }

    /// The same for a message that names its key: another process may just have made that one, and
    /// published it.
    package func keys(
        of tenant: Tenant, naming name: KeyIdentifier?
    ) async throws -> [PrivateJWK] {
        let known = try await keys(of: tenant)
        guard let name, !known.contains(where: { KeyIdentifier($0.publicKey) == name }) else {
            return known
        }
        return try await load(of: tenant.project.id)
    }

    private func load(of project: Identifier<Project>) async throws -> [PrivateJWK] {
        var stored = try await store.encryptionKeys(of: project)
        if stored.isEmpty {
            try await store.addEncryptionKey(makeKey(for: project))
            stored = try await store.encryptionKeys(of: project)
        }
        let ordered =
            stored.filter { $0.state == .active } + stored.filter { $0.state == .retiring }
        return try ordered.map(open)
    }

    /// The key that devices encrypt to, as it is published: `use` is `enc`, the name is Apple's.
    package func current(of tenant: Tenant) async throws -> PublicJWK? {
        try await keys(of: tenant).first?.publicKey
    }

    /// Makes another key the one to encrypt to. Those before it still open what was encrypted to
    /// them, until they are retired.
    ///
    /// - Parameter store: the one that records it; `nil` for that of every day.
    /// - Returns: `false` when another process has just done it.
    package func rotate(
        of tenant: Tenant, in store: (any ProviderStore)? = nil
    ) async throws -> Bool {
        _ = try await keys(of: tenant)
        defer { cache.invalidate() }
        return try await (store ?? self.store).rotateEncryptionKey(
            to: makeKey(for: tenant.project.id))
    }

    /// Ends a key that was rotated out: what is encrypted to it opens no more.
    package func retire(
        _ id: Identifier<EncryptionKey>, of tenant: Tenant, in store: (any ProviderStore)? = nil
    ) async throws -> Bool {
        defer { cache.invalidate() }
        return try await (store ?? self.store).retireEncryptionKey(id, of: tenant.project.id)
    }

    private func makeKey(for project: Identifier<Project>) throws -> EncryptionKey {
        let bare = try PrivateJWK.generate(for: .es256).with(KeyParameters())
        let key = try bare.with(
            KeyParameters(
                keyID: KeyIdentifier(bare.publicKey).description, use: "enc",
                algorithm: "ECDH-ES"))
        let now = clock.now
        let id = Identifier<EncryptionKey>(now: now, random: random)
        return EncryptionKey(
            id: id, project: project, publicJWK: key.publicKey.json.text,
            sealedPrivateKey: try secrets.seal(
                key.export(), context: Self.context(id, project)), createdAt: now)
    }

    private func open(_ key: EncryptionKey) throws -> PrivateJWK {
        let sealed = try secrets.open(
            key.sealedPrivateKey, context: Self.context(key.id, key.project))
        guard let key = try JSONWebKey(bytes: sealed.reveal()).privateKey else {
            throw KeyRingError.unreadableKey(kid: key.id.description)
        }
        return key
    }

    private static func context(
        _ id: Identifier<EncryptionKey>, _ project: Identifier<Project>
    ) -> String { "encryption-key/\(project)/\(id)" }
}
