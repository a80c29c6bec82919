// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// A process that serves from the store while it renews the lease.
package struct ServerLease: Sendable, Equatable {
    package var id: Identifier<ServerLease>
    /// For display: `host:pid`.
    package var name: String
    package var expiresAt: Timestamp

    package init(id: Identifier<ServerLease>, name: String, expiresAt: Timestamp) {
        self.id = id
        self.name = name
        self.expiresAt = expiresAt
    }
}
