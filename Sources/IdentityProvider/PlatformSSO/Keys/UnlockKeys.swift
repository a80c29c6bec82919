// SPDX-License-Identifier: Apache-2.0
import JOSE
import PlatformSSO
import Primitives
import Storage

/// The key service of one person on one device: provisions unlock keys, and agrees with them.
///
/// A key is found again by its context, which the device keeps in the clear: sealed here, it opens
/// for the same device, person and purpose only. Without the row it names it opens nothing, so
/// revoking a device ends it.
struct UnlockKeys {
    let provider: Provider
    let device: Device
    let person: Person
    let now: Timestamp

    typealias Cache = ExpiringCache<Identifier<UnlockKey>, PrivateJWK>

    private static let purpose = VerifiedKeyRequest.userUnlock
    /// How long after its certificate, or after it was last used, a key still opens what was locked
    /// with it.
    private static let overlap = TimeSpan.days(60)

    /// The key in use, the same for as long as its certificate is valid: macOS binds anew to
    /// another. `nil` when the device has ended.
    func provision(lifetime: TimeSpan) async throws -> UnlockKey? {
        let found = try await provider.store.unlockKey(
            of: person.id, on: device.id, purpose: Self.purpose, now: now)
        if let found { return found }
        return try await provider.store.provision(try makeKey(lifetime), now: now)
    }

    /// What the device hands back with each exchange.
    func context(of key: UnlockKey) throws -> String {
        Base64URL.encode(
            try provider.secrets.seal(Secret(key.id.bytes), context: binding("context")))
    }

    /// The key of a context that was sealed for this device, person and purpose.
    func key(of context: String?) async throws -> UnlockKey? {
        guard let context, let sealed = Base64URL.decode(context), sealed.count <= 128,
            let opened = try? provider.secrets.open(sealed, context: binding("context")),
            let id = Identifier<UnlockKey>(bytes: opened.reveal()),
            let key = try await provider.store.unlockKey(id, now: now),
            key.device == device.id, key.person == person.id, key.purpose == Self.purpose
        else { return nil }
        return key
    }

    /// What was locked with a key opens for as long as somebody opens it now and then.
    func noteUse(of key: UnlockKey) async throws {
        let end = now + Self.overlap
        guard key.deleteAfter <= end - .days(1) else { return }
        try await provider.store.keep(unlockKey: key.id, until: end)
    }

    /// - Parameter key: that was found in the store just now, so it has not ended.
    func privateKey(of key: UnlockKey) async throws -> PrivateJWK {
        let opened = try await provider.unlockKeys.value(for: key.id, now: now) {
            let opened = try provider.secrets.open(key.sealedPrivateKey, context: binding("key"))
            return try JSONWebKey(bytes: opened.reveal()).privateKey
        }
        guard let opened else { throw KeyRingError.unreadableKey(kid: key.id.description) }
        return opened
    }

    private func makeKey(_ lifetime: TimeSpan) throws -> UnlockKey {
        let key = try PrivateJWK.generate(for: .es256).with(KeyParameters())
        let end = now + lifetime
        let certificate = UnlockCertificate(
            subject: person.username, key: key, serial: provider.random.bytes(16),
            // A clock that is a little behind must not find it of tomorrow.
            notBefore: now - .minutes(5), notAfter: end)
        return UnlockKey(
            id: Identifier(now: now, random: provider.random), project: device.project,
            device: device.id, person: person.id, purpose: Self.purpose,
            sealedPrivateKey: try provider.secrets.seal(key.export(), context: binding("key")),
            certificate: try certificate.encoded(), createdAt: now, expiresAt: end,
            deleteAfter: end + Self.overlap)
    }

    private func binding(_ part: String) -> String {
        "unlock-\(part)/\(device.project)/\(device.id)/\(person.id)/\(Self.purpose)"
    }
}
