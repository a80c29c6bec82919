// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

private let leaseRenew = """
    INSERT INTO server_leases (id, name, expires_at) VALUES ($1, $2, $3)
    ON CONFLICT (id) DO UPDATE SET expires_at = excluded.expires_at
    """
private let leasesLiving = """
    SELECT id, name, expires_at FROM server_leases WHERE expires_at > $1 ORDER BY name LIMIT 1000
    """

/// The leases of running servers.
struct SQLServerLeases: ServerLeaseStore, SQLCapability {
    let database: SQLDatabase

    func renew(_ lease: ServerLease) async throws {
        _ = try await engine.change(leaseRenew, lease.id, lease.name, lease.expiresAt)
    }

    func release(lease id: Identifier<ServerLease>) async throws {
        _ = try await engine.change("DELETE FROM server_leases WHERE id = $1", id)
    }

    func acquire(
        job name: String, holder: Identifier<ServerLease>, for time: TimeSpan
    ) async throws -> Int64? {
        try await SQLJobLease(name: name, holder: holder.bytes, dialect: dialect)
            .acquire(for: time, on: engine)
    }

    func release(job name: String, holder: Identifier<ServerLease>) async throws {
        try await SQLJobLease(name: name, holder: holder.bytes, dialect: dialect)
            .release(on: engine)
    }

    func serverLeases(now: Timestamp) async throws -> [ServerLease] {
        try await all(
            { row in
                ServerLease(
                    id: try row.identifier(), name: try row.text(), expiresAt: try row.time())
            }, leasesLiving, now)
    }
}
