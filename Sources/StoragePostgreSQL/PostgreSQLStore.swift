// SPDX-License-Identifier: Apache-2.0
package import Primitives
package import Storage
package import StorageSQL

/// A factory of stores in a PostgreSQL database.
package enum PostgreSQLStore {
    package static let usualConnections = 16

    /// Connects to `url` (a libpq connection URI, `postgres://user:password@host:port/database`)
    /// with at most `connections` connections. Fails if the server does not respond. Does not
    /// change the schema: see `migrate()`.
    ///
    /// If the URL has several hosts, the one that accepts changes is used. One more connection
    /// responds to ``StoreMaintenance/ping()``.
    ///
    /// `archives` is the format of backups: `SQLiteArchive`.
    package static func open(
        url: Secret, connections: Int = usualConnections, counting count: CommitCounter? = nil,
        archives: any ArchiveFormat, auditRetention: TimeSpan = .days(400)
    ) async throws -> any ProviderStore {
        let engine = PostgreSQLEngine(url: url, connections: connections, counting: count)
        do {
            _ = try await engine.query("SELECT 1")
        } catch {
            await engine.close()
            throw error
        }
        return SQLStore(engine: engine, archives: archives, auditRetention: auditRetention)
    }
}
