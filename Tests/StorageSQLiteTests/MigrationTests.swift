// SPDX-License-Identifier: Apache-2.0
import Storage
import StorageSQL
import StorageSQLite
import Support
import Testing

@Suite struct MigrationTests {
    private let folder = TestFolder()

    @Test("steps are numbered in their order from one, each once, and each is one statement")
    func numbering() {
        let numbers = SchemaStep.all.map(\.number)
        #expect(numbers.first == 1 && numbers == Set(numbers).sorted())
        #expect(Set(SchemaStep.all.map(\.name)).count == SchemaStep.all.count)
        #expect(SchemaStep.all.allSatisfy { !$0.statement.contains(";") })
    }

    @Test("a migration that stopped after any step goes on from there")
    func resumes() async throws {
        for stop in [0, 1, 2, 10, SchemaStep.all.count - 1] {
            let engine = try SQLiteEngine.passing(path: folder.path("stop-\(stop)"))
            let begun = try await Migration(
                engine: engine, steps: Array(SchemaStep.all.prefix(stop))
            ).run()
            #expect(begun.count == stop)
            let migration = Migration(engine: engine)
            #expect(try await migration.pending().count == SchemaStep.all.count - stop)
            #expect(try await migration.run() == SchemaStep.all.dropFirst(stop).map(\.name))
            #expect(try await migration.run() == [])
            #expect(try await migration.version() == SchemaStep.all.last?.number)
            await engine.close()
        }
    }

    @Test("processes that start at once run each step once")
    func together() async throws {
        let path = folder.path("together")
        let ran = try await withThrowingTaskGroup(of: [String].self) { group in
            for _ in 0..<4 {
                group.addTask {
                    let engine = try SQLiteEngine.passing(path: path)
                    let ran = try await Migration(engine: engine).run()
                    await engine.close()
                    return ran
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(ran.sorted() == SchemaStep.all.map(\.name).sorted())
    }

    @Test("a new database costs one commit")
    func oneCommit() async throws {
        let count = CommitCounter()
        let engine = try SQLiteEngine.passing(path: folder.path("new"), counting: count)
        #expect(try await Migration(engine: engine).run().count == SchemaStep.all.count)
        #expect(try await Migration(engine: engine).run() == [])
        #expect(count.commits == 1)
        await engine.close()
    }

    @Test("steps before one that fails have run")
    func beforeFailing() async throws {
        let engine = try SQLiteEngine.passing(path: folder.path("before-failing"))
        let right = SchemaStep(number: 1, name: "right", statement: "CREATE TABLE r (a INTEGER)")
        let wrong = SchemaStep(number: 2, name: "wrong", statement: "CREATE NONSENSE")
        let migration = Migration(engine: engine, steps: [right, wrong])
        await #expect(throws: StorageError.self) { try await migration.run() }
        #expect(try await migration.version() == 1)
        #expect(try await migration.pending().map(\.name) == ["wrong"])
        await engine.close()
    }

    @Test("a step that fails is not noted")
    func failingStep() async throws {
        let engine = try SQLiteEngine.passing(path: folder.path("failing"))
        let wrong = SchemaStep(number: 1, name: "wrong", statement: "CREATE NONSENSE")
        let migration = Migration(engine: engine, steps: [wrong])
        await #expect(throws: StorageError.self) { try await migration.run() }
        #expect(try await migration.version() == 0)
        await engine.close()
    }

    @Test("a schema that is too new is refused, and one that supports this version is used")
    func newer() async throws {
        let engine = try SQLiteEngine.passing(path: folder.path("newer"))
        _ = try await Migration(engine: engine).run()
        _ = try await engine.change(
            "INSERT INTO schema_steps (number, name) VALUES (9999, 'future')")
        #expect(try await Migration(engine: engine).run() == [])
        _ = try await engine.change("INSERT INTO schema_support (oldest_version) VALUES (9998)")
        let error = await #expect(throws: StorageError.self) {
            try await Migration(engine: engine).run()
        }
        #expect(error?.code == .newerSchema)
        #expect(error?.reason.contains("version 9998 and later") == true)
        await engine.close()
    }

    @Test("a copy knows every column of every table")
    func columns() async throws {
        let engine = try SQLiteEngine.passing(path: folder.path("columns"))
        _ = try await Migration(engine: engine).run()
        let tables = try await engine.query(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name <> 'schema_steps'")
        let names = tables.compactMap(\.values.first)
        // Who serves is no content: it is not copied.
        let copied = StoredTable.all.map { SQLValue.text($0.name) }
        let others = [
            "server_leases", "job_leases", "operator_tokens", "schema_support", "state_files",
        ]
        #expect(Set(names) == Set(copied + others.map(SQLValue.text)))
        for table in StoredTable.all {
            let found = try await engine.query(
                "SELECT name FROM pragma_table_info('\(table.name)')")
            let columns = Set(found.compactMap(\.values.first))
            #expect(columns == Set(table.columns.names.map(SQLValue.text)))
        }
        await engine.close()
    }
}
