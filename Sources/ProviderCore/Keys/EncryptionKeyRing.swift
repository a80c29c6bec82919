// SPDX-License-Identifier: Apache-2.0
package import JOSE
package import PIN
package import PlatformSSO
package import Primitives
package import Storage

/// The encryption keys of all projects. They are created when they are first needed and cached for
/// 30 seconds. Devices encrypt passwords to them, and prove their encryption keys with them. The
/// keys sign nothing. From each a ``PIN/PINProofKey`` is derived.
package final class EncryptionKeyRing: Sendable {
    private let store: any EncryptionKeyStore
    private let secrets: DerivedKeys
    private let clock: any WallClock
    private let random: any RandomSource
    private let cache = ExpiringCache<Identifier<Project>, [OpenedKey]>(
        capacity: 20_000, freshness: .seconds(30))
    private let reloads = ReloadLimit()

    /// An unsealed key, with the key that is derived from it.
    private struct OpenedKey: Sendable {
        let key: PrivateJWK
        let proofKey: PINProofKey
        /// The public half of `proofKey` as JSON.
        let published: [UInt8]
    }

    init(
        store: any EncryptionKeyStore, secrets: DerivedKeys, clock: any WallClock,
        random: any RandomSource
    ) {
        self.store = store
        self.secrets = secrets
        self.clock = clock
        self.random = random
    }

    /// The active key, followed by the rotated ones.
    package func keys(of tenant: Tenant) async throws -> [PrivateJWK] {
        try await opened(of: tenant).map(\.key)
    }

    /// The keys that open PIN proofs, the published one first.
    package func pinProofKeys(of tenant: Tenant) async throws -> [PINProofKey] {
        try await opened(of: tenant).map(\.proofKey)
    }

    /// The JWK to which devices seal PIN proofs, as JSON.
    func publishedProofKey(of tenant: Tenant) async throws -> [UInt8]? {
        try await opened(of: tenant).first?.published
    }

    private func opened(of tenant: Tenant) async throws -> [OpenedKey] {
        let project = tenant.project.id
        return try await cache.value(for: project, now: clock.now) {
            try await load(of: project)
        } ?? []
    }

    /// The same for a message with a key ID. If the ID is unknown, the keys are read again (at most
    /// once in a second), because another process may just have created and published the key.
    package func keys(
        of tenant: Tenant, naming name: KeyIdentifier?
    ) async throws -> [PrivateJWK] {
        let known = try await keys(of: tenant)
        guard let name, !known.contains(where: { KeyIdentifier($0.publicKey) == name }),
            canReload(tenant)
        else { return known }
        return try await keys(of: tenant)
    }

    /// The same for a PIN proof that is sealed to the key with this thumbprint.
    package func pinProofKeys(
        of tenant: Tenant, naming thumbprint: [UInt8]
    ) async throws -> [PINProofKey] {
        let known = try await pinProofKeys(of: tenant)
        guard !known.contains(where: { $0.publicKey.keyID == thumbprint }), canReload(tenant)
        else { return known }
        return try await pinProofKeys(of: tenant)
    }

    /// Clears the cached keys, at most once in a second.
    private func canReload(_ tenant: Tenant) -> Bool {
        guard reloads.permits(tenant.project.id, now: clock.now) else { return false }
        cache.invalidate(tenant.project.id)
        return true
    }

    private func load(of project: Identifier<Project>) async throws -> [OpenedKey] {
        var stored = try await store.encryptionKeys(of: project)
        if stored.isEmpty {
            try await store.addEncryptionKey(makeKey(for: project))
            stored = try await store.encryptionKeys(of: project)
        }
        let ordered =
            stored.filter { $0.state == .active } + stored.filter { $0.state == .retiring }
        return try ordered.map(open)
    }

    /// The published key to which devices encrypt: `use` is `enc`, and the key ID has Apple's form.
    package func current(of tenant: Tenant) async throws -> PublicJWK? {
        try await keys(of: tenant).first?.publicKey
    }

    /// Creates a new active key. The earlier keys still decrypt until they are retired.
    ///
    /// - Parameter store: a store that records an audit event; `nil` for the default store.
    /// - Returns: `false` if another process has rotated the keys concurrently.
    package func rotate(
        of tenant: Tenant, in store: (any EncryptionKeyStore)? = nil
    ) async throws -> Bool {
        _ = try await keys(of: tenant)
        defer { cache.invalidate() }
        return try await (store ?? self.store).rotateEncryptionKey(
            to: makeKey(for: tenant.project.id))
    }

    /// Retires a rotated key. What is encrypted to it can no longer be decrypted.
    package func retire(
        _ id: Identifier<EncryptionKey>, of tenant: Tenant,
        in store: (any EncryptionKeyStore)? = nil
    ) async throws -> Bool {
        defer { cache.invalidate() }
        return try await (store ?? self.store).retireEncryptionKey(
            id, of: tenant.project.id)
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

    private func open(_ key: EncryptionKey) throws -> OpenedKey {
        let sealed = try secrets.open(
            key.sealedPrivateKey, context: Self.context(key.id, key.project))
        guard let opened = try JSONWebKey(bytes: sealed.reveal()).privateKey else {
            throw KeyRingError.unreadableKey(kid: key.id.description)
        }
        let proofKey = try PINProofKey.derived(from: sealed)
        return OpenedKey(
            key: opened, proofKey: proofKey, published: proofKey.publicKey.jwk.json.bytes)
    }

    private static func context(
        _ id: Identifier<EncryptionKey>, _ project: Identifier<Project>
    ) -> String { "encryption-key/\(project)/\(id)" }
}
