// SPDX-License-Identifier: Apache-2.0
import StorageSQL
import StorageSQLite
import Support

/// A store of its own whose questions to the engine can be counted.
struct CountedStore {
    let engine: CountingEngine
    let store: SQLStore
    private let folder = TestFolder()

    init() async throws {
        engine = CountingEngine(try SQLiteEngine.passing(path: folder.path("store.sqlite")))
        store = SQLStore(engine: engine, archives: SQLiteArchive())
        _ = try await store.migrate()
    }
}
