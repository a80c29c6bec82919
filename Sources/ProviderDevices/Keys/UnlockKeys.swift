// SPDX-License-Identifier: Apache-2.0
import JOSE
import PlatformSSO
import Primitives
import ProviderCore
import Storage

/// The key service of one person on one device: it provisions unlock keys and performs key
/// agreement.
///
/// A key is found by its context, which the device stores in the clear. The context is sealed for
/// the device, person and purpose. It is useless without the row that it names, so revoking a
/// device ends it.
struct UnlockKeys {
    let provider: Provider
    let device: Device
    let person: Person
    let now: Timestamp

    typealias Cache = ExpiringCache<Identifier<UnlockKey>, PrivateJWK>

    private static let purpose = VerifiedKeyRequest.userUnlock
    /// The time after the expiry of the certificate, or after the last use, in which a key can
    /// still be used.
    private static let overlap = TimeSpan.days(60)

    /// The active key. It stays the same while its certificate is valid, because macOS rebinds to a
    /// new one. Returns `nil` if the device is unregistered.
    func provision(lifetime: TimeSpan) async throws -> UnlockKey? {
        let found = try await provider.store.unlockKeys.unlockKey(
            of: person.id, on: device.id, purpose: Self.purpose, now: now)
        if let found { return found }
        return try await provider.store.unlockKeys.provision(try makeKey(lifetime), now: now)
    }

    /// The context, which the device sends with each exchange.
    func context(of key: UnlockKey) throws -> String {
        Base64URL.encode(
            try provider.secrets.seal(Secret(key.id.bytes), context: binding("context")))
    }

    /// The key of a context that was sealed for this device, person and purpose, or `nil`.
    func key(of context: String?) async throws -> UnlockKey? {
        guard let context, let sealed = Base64URL.decode(context), sealed.count <= 128,
            let opened = try? provider.secrets.open(sealed, context: binding("context")),
            let id = Identifier<UnlockKey>(bytes: opened.reveal()),
            let key = try await provider.store.unlockKeys.unlockKey(id, now: now),
            key.device == device.id, key.person == person.id, key.purpose == Self.purpose
        else { return nil }
        return key
    }

    /// Extends the lifetime of the key after its use, at most once a day.
    func noteUse(of key: UnlockKey) async throws {
        let end = now + Self.overlap
        guard key.deleteAfter <= end - .days(1) else { return }
        try await provider.store.unlockKeys.extendLifetime(ofUnlockKey: key.id, to: end)
    }

    /// - Parameter key: a key that was just read from the store, so it is not expired.
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
            // The device's clock may be slow.
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

extension Provider {
    /// Unsealed unlock keys. A device unlocks often, and unsealing a key each time is expensive.
    fileprivate var unlockKeys: UnlockKeys.Cache {
        component { UnlockKeys.Cache(capacity: 2048, freshness: .minutes(5)) }
    }
}
