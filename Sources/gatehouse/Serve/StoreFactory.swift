// SPDX-License-Identifier: Apache-2.0
import CommandLineSupport
import Primitives
import Storage
import StoragePostgreSQL
import StorageSQLite

/// Picks the engine of the store.
enum StoreFactory {
    /// - Parameter migrating: whether missing schema steps are run.
    static func open(
        _ database: ServeConfiguration.Database, migrating: Bool,
        connections: Int = PostgreSQLStore.usualConnections,
        counting count: CommitCounter? = nil,
        auditRetention: TimeSpan = ServeConfiguration.usualAuditRetention
    ) async throws -> any ProviderStore {
        do {
            switch database {
            case .sqlite(let path):
                return try await SQLiteStore.open(
                    path: path, counting: count, auditRetention: auditRetention)
            case .postgres(let url):
                let store = try await PostgreSQLStore.open(
                    url: Secret(url), connections: connections, counting: count,
                    archives: SQLiteArchive(), auditRetention: auditRetention)
                if migrating { _ = try await store.maintenance.migrate() }
                return store
            }
        } catch let error as StorageError {
            throw CommandError("the database cannot be opened: \(error.reason)")
        }
    }
}
