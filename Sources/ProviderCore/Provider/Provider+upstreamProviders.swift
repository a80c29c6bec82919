// SPDX-License-Identifier: Apache-2.0
import Primitives
package import Storage

extension Provider {
    /// The upstream providers of a project, ordered by name. At most one second old.
    package func upstreamProviders(of tenant: Tenant) async throws -> [UpstreamProvider] {
        try await upstream.value(for: tenant.project.id, now: clock.now) {
            try await store.upstreamProviders.upstreamProviders(of: tenant.project.id)
        } ?? []
    }
}
