// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Primitives
import Storage
import StoragePostgreSQL
import StorageSQL
import StorageSQLite
import Support
import Testing

/// Migrations that add an index to a table in use, and the check of the schema version.
/// Skipped if PostgreSQL 15 is not installed: `Scripts/bootstrap` installs it.
@Suite(.enabled(if: PostgreSQLServer.unavailable == nil, "PostgreSQL 15 is not installed"))
struct PostgreSQLIndexTests {
    private static let step = SchemaStep.index(
        9_000, "people_by_creation", on: "people (created_at)")
    private static let isValid = """
        SELECT i.indisvalid FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
        WHERE c.relname = 'people_by_creation'
        """

    private func open() async throws -> (PostgreSQLEngine, SQLStore) {
        let engine = PostgreSQLEngine(
            url: try PostgreSQLServer.shared().makeDatabase(), connections: 6)
        let store = SQLStore(engine: engine, archives: SQLiteArchive())
        _ = try await store.maintenance.migrate()
        return (engine, store)
    }

    private func migrate(_ engine: PostgreSQLEngine) async throws -> [String] {
        try await Migration(engine: engine, steps: SchemaStep.all + [Self.step]).run()
    }

    @Test("an index is added to a table while others write it")
    func concurrently() async throws {
        let (engine, store) = try await open()
        let f = try await StoreFixture(store)
        let (held, hold) = AsyncStream.makeStream(of: Void.self)
        let isDone = DispatchSemaphore(value: 0)
        // A transaction that has written the table, and does not end.
        async let writer: Void = engine.write { connection in
            _ = try connection.change("UPDATE people SET disabled = 0 WHERE id = $1", f.person.id)
            hold.yield()
            #expect(isDone.wait(timeout: .now() + 60) == .success)
        }
        for await _ in held { break }
        async let ran = migrate(engine)
        try await eventually("the build waits for the transaction") {
            let builds = try await engine.query(
                """
                SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'
                AND datname = current_database() AND query LIKE 'CREATE INDEX CONCURRENTLY%'
                """)
            return builds.isEmpty ? nil : true
        }
        // CREATE INDEX would wait for the lock of the table, and this behind it.
        _ = try await store.people.create(f.makePerson("bea"), with: [])
        isDone.signal()
        try await writer
        #expect(try await ran == ["people_by_creation"])
        #expect(try await engine.query(Self.isValid).first?.values == [.integer(1)])
        #expect(try await migrate(engine) == [])
        await store.maintenance.close()
    }

    @Test("of processes that migrate at once one builds the index, after one that failed too")
    func once() async throws {
        let (engine, store) = try await open()
        // What a build that was interrupted leaves.
        _ = try await engine.write {
            try $0.define("CREATE INDEX people_by_creation ON people (created_at)")
        }
        try await engine.write {
            _ = try $0.change(
                """
                UPDATE pg_index SET indisvalid = false
                WHERE indexrelid = 'people_by_creation'::regclass
                """)
        }
        let ran = try await withThrowingTaskGroup(of: [String].self) { group in
            for _ in 0..<3 { group.addTask { try await migrate(engine) } }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(ran == ["people_by_creation"])
        #expect(try await engine.query(Self.isValid).first?.values == [.integer(1)])
        await store.maintenance.close()
    }

    @Test("processes that start at once on an empty database both succeed")
    func emptyDatabase() async throws {
        let url = try PostgreSQLServer.shared().makeDatabase()
        for _ in 0..<3 {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        let store = try await PostgreSQLStore.open(
                            url: url, connections: 3, archives: SQLiteArchive())
                        _ = try await store.maintenance.migrate()
                        await store.maintenance.close()
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test("a database whose schema is too new is refused at the start")
    func newer() async throws {
        let (engine, store) = try await open()
        _ = try await engine.change(
            "INSERT INTO schema_steps (number, name) VALUES (9999, 'future')")
        _ = try await store.maintenance.migrate()
        _ = try await engine.change("INSERT INTO schema_support (oldest_version) VALUES (9999)")
        let error = await #expect(throws: StorageError.self) {
            _ = try await store.maintenance.migrate()
        }
        #expect(error?.code == .newerSchema)
        await store.maintenance.close()
    }
}
