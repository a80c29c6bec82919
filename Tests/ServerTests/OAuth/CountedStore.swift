// SPDX-License-Identifier: Apache-2.0
import Storage
import StorageSQL
import StorageSQLite
import Support

/// A new store with a counter of its engine's calls.
struct CountedStore {
    let engine: CountingEngine
    let store: SQLStore
    private let folder = TestFolder()

    init() async throws {
        engine = CountingEngine(try SQLiteEngine.passing(path: folder.path("store.sqlite")))
        store = SQLStore(engine: engine, archives: SQLiteArchive())
        _ = try await store.maintenance.migrate()
    }
}
