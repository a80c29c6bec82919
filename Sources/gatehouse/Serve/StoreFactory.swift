// SPDX-License-Identifier: Apache-2.0
import CommandLineSupport
import Primitives
import Storage
import StoragePostgreSQL
import StorageSQLite

/// Picks the engine of the store.
enum StoreFactory {
    /// - Parameter migrating: whether the process serves: missing schema steps are run, and a
    ///   database into which a restore has not ended is refused.
    static func open(
        _ database: ServeConfiguration.Database, migrating: Bool,
        connections: Int = PostgreSQLStore.usualConnections,
        counting count: CommitCounter? = nil,
        auditRetention: TimeSpan = ServeConfiguration.usualAuditRetention
    ) async throws -> any ProviderStore {
        do {
            let store: any ProviderStore
            switch database {
            case .sqlite(let path):
                store = try await SQLiteStore.open(
                    path: path, counting: count, auditRetention: auditRetention)
            case .postgres(let url):
                store = try await PostgreSQLStore.open(
                    url: Secret(url), connections: connections, counting: count,
                    archives: SQLiteArchive(), auditRetention: auditRetention)
            }
            if migrating { try await prepare(store, database) }
            return store
        } catch let error as StorageError {
            throw CommandError("the database cannot be opened: \(error.reason)")
        }
    }

    private static func prepare(
        _ store: any ProviderStore, _ database: ServeConfiguration.Database
    ) async throws {
        do {
            try await store.maintenance.refuseUnfinishedRestore()
            // SQLite is migrated when it is opened.
            if case .postgres = database { _ = try await store.maintenance.migrate() }
        } catch {
            await store.maintenance.close()
            throw error
        }
    }
}
