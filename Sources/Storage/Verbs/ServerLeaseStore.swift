// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// A store of the processes that serve from it. If one directory has one server, a file is locked
/// instead.
package protocol ServerLeaseStore: Sendable {
    /// Acquires or renews the lease.
    func renew(_ lease: ServerLease) async throws
    func release(lease id: Identifier<ServerLease>) async throws
    /// Acquires or renews the lease of a job that one process at a time performs, by the clock of
    /// the database. Returns its epoch, which increases with each change of the holder; `nil` if
    /// another process holds it.
    func acquire(
        job name: String, holder: Identifier<ServerLease>, for time: TimeSpan
    ) async throws -> Int64?
    /// Ends the lease of a job if `holder` holds it.
    func release(job name: String, holder: Identifier<ServerLease>) async throws
    /// Returns active leases, in order of their names.
    func serverLeases(now: Timestamp) async throws -> [ServerLease]
}
