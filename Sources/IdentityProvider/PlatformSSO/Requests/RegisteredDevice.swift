// SPDX-License-Identifier: Apache-2.0
import JOSE
import PlatformSSO
import Primitives
import Storage

/// A living device, with the keys that its messages are judged by.
struct RegisteredDevice: Sendable {
    let device: Device
    let keys: DeviceKeys
    /// Whether no other key has taken the place of the one that signs. One whose place was taken
    /// still signs people in for a while, and decides nothing about the device, nor who has a key on
    /// it, any more.
    let isCurrent: Bool

    /// The device whose signing key has that name.
    static func find(
        _ kid: KeyIdentifier, in tenant: Tenant, _ provider: Provider, now: Timestamp
    ) async throws -> RegisteredDevice? {
        let found = try await provider.store.device(
            signingKey: kid.digest, in: tenant.project.id, now: now)
        guard let (device, stored) = found,
            let signing = stored.first(where: { $0.use == .signing && $0.kid == kid.digest })
        else { return nil }
        let encryption = stored.filter { $0.use == .encryption }
        return RegisteredDevice(
            device: device,
            keys: DeviceKeys(
                signing: try signing.publicKey,
                encryption: try encryption.map { try $0.publicKey }),
            isCurrent: signing.endsAt == nil)
    }
}

extension DeviceKey {
    var publicKey: PublicJWK {
        get throws {
            guard let key = try JSONWebKey(bytes: Array(publicJWK.utf8)).publicKey else {
                throw StorageError(.corrupt, "a device key is no public key")
            }
            return key
        }
    }
}
