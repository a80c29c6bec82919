// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// Which processes serve from the store. Where one directory has one server a file is locked
/// instead.
package protocol ServerLeaseStore: Sendable {
    /// Takes the lease, or prolongs it.
    func renew(_ lease: ServerLease) async throws
    func release(lease id: Identifier<ServerLease>) async throws
    /// Leases that are not over, in order of their names.
    func serverLeases(now: Timestamp) async throws -> [ServerLease]
}
