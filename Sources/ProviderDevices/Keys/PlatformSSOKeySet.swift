// SPDX-License-Identifier: Apache-2.0
import JOSE
package import ProviderCore

/// The JWK set for devices: the keys that sign ID tokens, and the active key to which passwords are
/// encrypted. It does not contain rotated encryption keys.
package struct PlatformSSOKeySet: Sendable {
    private let provider: Provider

    package init(_ provider: Provider) { self.provider = provider }

    package func json(of tenant: Tenant) async throws -> [UInt8] {
        _ = try await provider.keys.signer(for: tenant)
        let signing = try await provider.keys.publishedKeys(of: tenant).keys
        let encryption = try await provider.encryptionKeys.current(of: tenant)
        let keys = signing.compactMap(\.publicKey) + [encryption].compactMap { $0 }
        let set: JSONValue = ["keys": .array(keys.map(\.json))]
        return set.bytes
    }
}
