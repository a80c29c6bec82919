// SPDX-License-Identifier: Apache-2.0
package import Primitives
package import Storage
import StorageSQL

/// Opens stores that live in one SQLite file.
package enum SQLiteStore {
    /// Opens (or makes, mode 0600) the file at `path` and brings its schema up to date.
    ///
    /// - Parameter auditRetention: how long audit events are kept.
    package static func open(
        path: String, counting count: CommitCounter? = nil,
        auditRetention: TimeSpan = .days(400)
    ) async throws -> any ProviderStore {
        try await open(SQLiteEngine(path: path, counting: count), auditRetention)
    }

    /// A store of its own in a temporary folder that goes with it, and so waits for no disk.
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
        _ = try await store.migrate()
        return store
    }
}
