// SPDX-License-Identifier: Apache-2.0
import JOSE
import PlatformSSO
import Primitives
import ProviderCore
import Storage

/// An active device, with the keys that verify its messages.
struct RegisteredDevice: Sendable {
    let device: Device
    let keys: DeviceKeys
    /// Whether the signing key is the current one. A replaced key can sign logins during a grace
    /// period. It cannot change the device or the user keys on it.
    let isCurrent: Bool

    /// Finds the active device with this signing key.
    static func find(
        _ kid: KeyIdentifier, in tenant: Tenant, _ provider: Provider, now: Timestamp
    ) async throws -> RegisteredDevice? {
        let found = try await provider.store.devices.device(
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
                throw StorageError(.corrupt, "a device key is not a public key")
            }
            return key
        }
    }
}
