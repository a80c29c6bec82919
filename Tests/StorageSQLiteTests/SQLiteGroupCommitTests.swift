// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage
import StorageSQL
import StorageSQLite
import Support
import Testing

@Suite struct SQLiteGroupCommitTests {
    private let folder = TestFolder()

    private func open() async throws -> SQLiteEngine {
        let engine = try SQLiteEngine(path: folder.path("store"))
        _ = try await engine.change("CREATE TABLE t (a INTEGER PRIMARY KEY)")
        return engine
    }

    private func count(_ engine: SQLiteEngine) async throws -> SQLValue? {
        try await engine.query("SELECT count(*) FROM t").first?.values.first
    }

    @Test("a verb that fails takes nothing of its neighbours with it")
    func neighbours() async throws {
        let engine = try await open()
        let failed = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<200 {
                group.addTask {
                    do {
                        try await engine.write { connection in
                            _ = try connection.change("INSERT INTO t VALUES ($1)", number)
                            if number % 2 == 0 { throw Refused() }
                        }
                        return false
                    } catch {
                        return error is Refused
                    }
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(failed == 100)
        #expect(try await count(engine) == .integer(100))
        let even = try await engine.query("SELECT a FROM t WHERE a % 2 = 0")
        #expect(even.isEmpty)
        await engine.close()
    }

    @Test("a statement that fails takes nothing of its neighbours with it, nor leaves a part")
    func statements() async throws {
        let engine = try await open()
        let done = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<200 {
                group.addTask {
                    let pair = "INSERT INTO t VALUES ($1), ($2)"
                    let added = try? await engine.change(pair, 1000 + number, number % 50)
                    return added != nil
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(done == 50)
        #expect(try await count(engine) == .integer(100))
        await engine.close()
    }

    @Test("a verb that fails halfway leaves nothing of itself")
    func halfway() async throws {
        let engine = try await open()
        await #expect(throws: StorageError.self) {
            try await engine.write { connection in
                _ = try connection.change("INSERT INTO t VALUES (1)")
                _ = try connection.change("INSERT INTO t VALUES (1)")
            }
        }
        #expect(try await count(engine) == .integer(0))
        await engine.close()
    }

    @Test("a change says how many rows it made, and none when it made none")
    func changes() async throws {
        let engine = try await open()
        let counts = try await engine.write { connection in
            let add = "INSERT INTO t VALUES ($1) ON CONFLICT DO NOTHING"
            let copy = "INSERT INTO t SELECT a + 10 FROM t WHERE a > $1"
            return [
                try connection.change(add, arguments: [.integer(1)]),
                try connection.change(add, arguments: [.integer(2)]),
                try connection.change(add, arguments: [.integer(2)]),
                try connection.change(copy, arguments: [.integer(0)]),
                try connection.change(copy, arguments: [.integer(99)]),
            ]
        }
        #expect(counts == [1, 1, 0, 2, 0])
        await engine.close()
    }

    @Test("a short read cannot write")
    func readersReadOnly() async throws {
        let engine = try await open()
        await #expect(throws: StorageError.self) {
            _ = try await engine.query("INSERT INTO t VALUES (1)")
        }
        #expect(try await count(engine) == .integer(0))
        await engine.close()
    }

    @Test("what was written is read at once, from any task")
    func readYourWrites() async throws {
        let engine = try await open()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<100 {
                group.addTask {
                    _ = try await engine.change("INSERT INTO t VALUES ($1)", number)
                    let found = try await engine.query("SELECT a FROM t WHERE a = $1", number)
                    #expect(found.count == 1)
                }
            }
            try await group.waitForAll()
        }
        await engine.close()
    }

    @Test("a commit is synchronised with the disk before it is answered")
    func durable() async throws {
        let engine = try await open()
        // 2 is FULL: https://www.sqlite.org/pragma.html#pragma_synchronous
        #expect(try await engine.change("PRAGMA synchronous").first?.values == [.integer(2)])
        #expect(try await engine.change("PRAGMA journal_mode").first?.values == [.text("wal")])
        await engine.close()
    }

    @Test("only a file that goes with its process is written without waiting for the disk")
    func passing() async throws {
        let engine = try SQLiteEngine.passing(path: folder.path("passing"))
        #expect(try await engine.change("PRAGMA synchronous").first?.values == [.integer(0)])
        #expect(try await engine.change("PRAGMA journal_mode").first?.values == [.text("wal")])
        await engine.close()
        let store = try await SQLiteStore.open(path: folder.path("passing"))
        await store.maintenance.close()
        let again = try SQLiteEngine(path: folder.path("passing"))
        #expect(try await again.change("PRAGMA synchronous").first?.values == [.integer(2)])
        await again.close()
    }

    @Test("closing waits for what was accepted and refuses what comes later")
    func closing() async throws {
        let engine = try await open()
        let answered = await withTaskGroup(of: Int?.self) { group in
            for number in 0..<100 {
                group.addTask {
                    let done = try? await engine.change("INSERT INTO t VALUES ($1)", number)
                    return done == nil ? nil : number
                }
            }
            group.addTask {
                await engine.close()
                return nil
            }
            return await group.reduce(into: Set<Int>()) { if let number = $1 { $0.insert(number) } }
        }
        await #expect(throws: StorageError.self) { _ = try await engine.query("SELECT 1") }
        await #expect(throws: StorageError.self) { _ = try await engine.change("SELECT 1") }
        let again = try SQLiteEngine(path: folder.path("store"))
        let found = try await again.query("SELECT a FROM t")
        #expect(found.count == answered.count)
        await again.close()
    }

    @Test("values come back as they went, the empty and the large among them")
    func values() async throws {
        let engine = try await open()
        let values: [SQLValue] = [
            .null, .integer(.min), .integer(.max), .text(""), .text("ß🦊\u{0}x"), .bytes([]),
            .bytes([UInt8](repeating: 0xFF, count: 100_000)),
        ]
        for value in values {
            let found = try await engine.query("SELECT $1", value)
            #expect(found.first?.values == [value])
        }
        await engine.close()
    }
}

private struct Refused: Error {}
