// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

/// The lease of a job that one process at a time performs: one row, acquired and renewed by one
/// statement with the clock of the database.
///
/// `clock_timestamp()` and not `now()`, which is the start of the transaction: several changes
/// share one.
struct SQLJobLease: Sendable {
    let name: String
    let holder: [UInt8]
    private let statement: String

    init(name: String, holder: [UInt8], dialect: SQLDialect) {
        self.name = name
        self.holder = holder
        statement = dialect == .sqlite ? Self.onSQLite : Self.onPostgreSQL
    }

    /// Returns the epoch, which increases with each change of the holder; `nil` if another process
    /// holds the lease.
    func acquire(for time: TimeSpan, on engine: any SQLEngine) async throws -> Int64? {
        try await engine.change(statement, name, holder, time.milliseconds).firstRecord {
            try $0.integer()
        }
    }

    /// Ends the lease. The row and its epoch stay.
    func release(on engine: any SQLEngine) async throws {
        _ = try await engine.change(Self.end, name, holder)
    }

    private static let onSQLite = statement(
        "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)")
    private static let onPostgreSQL = statement(
        "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)")

    private static let end = """
        UPDATE job_leases SET expires_at = 0 WHERE name = $1 AND holder = $2
        """

    private static func statement(_ now: String) -> String {
        """
        INSERT INTO job_leases (name, holder, epoch, expires_at) VALUES ($1, $2, 1, \(now) + $3)
        ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at,
        epoch = job_leases.epoch + CASE WHEN job_leases.holder = excluded.holder THEN 0 ELSE 1 END
        WHERE job_leases.holder = excluded.holder OR job_leases.expires_at < \(now) RETURNING epoch
        """
    }
}
