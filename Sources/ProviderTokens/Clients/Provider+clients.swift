// SPDX-License-Identifier: Apache-2.0
package import Primitives
package import ProviderCore
package import Storage

extension Provider {
    /// Recently used clients.
    package var clients: ExpiringCache<ClientCacheKey, RegisteredClient> {
        component { ExpiringCache(capacity: 20_000) }
    }

    /// The client with this `client_id`, or `nil`. At most one second old; see ``ExpiringCache``.
    package func client(_ clientID: String, of tenant: Tenant) async throws -> Client? {
        try await registeredClient(clientID, of: tenant)?.client
    }

    /// Like ``client(_:of:)``, with parsed metadata.
    package func registeredClient(
        _ clientID: String, of tenant: Tenant
    ) async throws -> RegisteredClient? {
        let key = ClientCacheKey(project: tenant.project.id, clientID: clientID)
        return try await clients.value(for: key, now: clock.now) {
            try await store.clients.client(clientID: clientID, in: tenant.project.id)
                .map(RegisteredClient.init)
        }
    }
}

package struct ClientCacheKey: Sendable, Hashable {
    package let project: Identifier<Project>
    package let clientID: String
}
