// SPDX-License-Identifier: Apache-2.0
package import Primitives
package import Storage
import StorageSQL

/// A factory of stores in one SQLite file.
package enum SQLiteStore {
    /// Opens the file at `path`, or creates it with mode 0600, and migrates its schema.
    ///
    /// - Parameter auditRetention: The retention time of audit events.
    package static func open(
        path: String, counting count: CommitCounter? = nil,
        auditRetention: TimeSpan = .days(400)
    ) async throws -> any ProviderStore {
        try await open(SQLiteEngine(path: path, counting: count), auditRetention)
    }

    /// Opens a new store in a temporary directory that is deleted with it. It does not wait for the
    /// disk.
    package static func temporary() async throws -> any ProviderStore {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/store.sqlite"
        try await TemplateDatabase.copy(to: path)
        return try await open(SQLiteEngine(path: path, settings: .passingWriter, folder: folder))
    }

    private static func open(
        _ engine: SQLiteEngine, _ auditRetention: TimeSpan = .days(400)
    ) async throws -> any ProviderStore {
        let store = SQLStore(
            engine: engine, archives: SQLiteArchive(), auditRetention: auditRetention)
        _ = try await store.maintenance.migrate()
        return store
    }
}
