// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// A store of the processes that serve from it. If one directory has one server, a file is locked
/// instead.
package protocol ServerLeaseStore: Sendable {
    /// Acquires or renews the lease.
    func renew(_ lease: ServerLease) async throws
    func release(lease id: Identifier<ServerLease>) async throws
    /// Returns active leases, in order of their names.
    func serverLeases(now: Timestamp) async throws -> [ServerLease]
}
