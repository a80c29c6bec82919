// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage
import StoragePostgreSQL
import StorageSQL
import StorageSQLite
import Support
import Synchronization
import Testing

/// Errors of the server, and conflicts with other transactions. Skipped if PostgreSQL 15 is not
/// installed: `Scripts/bootstrap` installs it.
@Suite(.enabled(if: PostgreSQLServer.unavailable == nil, "PostgreSQL 15 is not installed"))
struct PostgreSQLErrorTests {
    private func open(connections: Int = 4) async throws -> PostgreSQLEngine {
        let engine = PostgreSQLEngine(
            url: try PostgreSQLServer.shared().makeDatabase(), connections: connections)
        _ = try await engine.change("CREATE TABLE t (a bigint PRIMARY KEY, b bigint NOT NULL)")
        _ = try await engine.change("INSERT INTO t VALUES (1, 0), (2, 0)")
        return engine
    }

    private func sum(_ engine: PostgreSQLEngine) async throws -> SQLValue? {
        try await engine.query("SELECT CAST(sum(b) AS bigint) FROM t").first?.values.first
    }

    /// Ends every connection of the database but the one that says so, and waits for their end.
    private static let endOthers = """
        SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()
        """

    @Test("a server that is not there is a failure at once, not a wait")
    func absent() async throws {
        await #expect(throws: StorageError.self) {
            _ = try await PostgreSQLStore.open(
                url: Secret("postgres://nobody@%2Fno%2Fsuch%2Ffolder/none"), connections: 2,
                archives: SQLiteArchive())
        }
    }

    @Test("idle connections that the server closed are opened again, for writes as well")
    func endedWhileIdle() async throws {
        let engine = try await open(connections: 2)
        for _ in 0..<5 {
            _ = try await engine.query(Self.endOthers)
            _ = try await engine.change("UPDATE t SET b = b + 1 WHERE a = 1")
            _ = try await engine.write { try $0.change("UPDATE t SET b = b + 1 WHERE a = 2") }
        }
        #expect(try await sum(engine) == .integer(10))
        await engine.close()
    }

    @Test("a change whose connection is lost under way is not tried again")
    func lostUnderWay() async throws {
        let engine = try await open()
        let error = await #expect(throws: StorageError.self) {
            _ = try await engine.change(
                """
                WITH ended AS (SELECT pg_terminate_backend(pg_backend_pid()))
                UPDATE t SET b = b + 1 FROM ended WHERE a = 1
                """)
        }
        #expect(error?.code == .outcomeUnknown || error?.code == .unavailable)
        #expect(try await sum(engine) == .integer(0))
        await engine.close()
    }

    @Test("a transaction that is lost before its commit is run once more")
    func lostBeforeCommit() async throws {
        let engine = try await open()
        let runs = Mutex(0)
        try await engine.write { connection in
            _ = try connection.change("UPDATE t SET b = b + 1 WHERE a = 1")
            let run = runs.withLock { runs in
                runs += 1
                return runs
            }
            if run == 1 {
                _ = try connection.query("SELECT pg_terminate_backend(pg_backend_pid())")
            }
        }
        #expect(runs.withLock { $0 } == 2)
        #expect(try await sum(engine) == .integer(1))
        await engine.close()
    }

    @Test("of a deadlock both sides succeed in the end")
    func deadlock() async throws {
        let engine = try await open(connections: 8)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for racer in 0..<3 {
                group.addTask {
                    let order = racer % 2 == 0 ? [1, 2] : [2, 1]
                    for _ in 0..<5 {
                        try await engine.write { connection in
                            for row in order {
                                _ = try connection.change(
                                    "UPDATE t SET b = b + 1 WHERE a = $1", row)
                            }
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await sum(engine) == .integer(30))
        await engine.close()
    }

    @Test("a transaction that fails leaves nothing, and its connection works on")
    func failing() async throws {
        let engine = try await open(connections: 1)
        let error = await #expect(throws: StorageError.self) {
            try await engine.write { connection in
                _ = try connection.change("UPDATE t SET b = 5 WHERE a = 1")
                _ = try connection.change("INSERT INTO t VALUES (1, 1)")
            }
        }
        #expect(error?.code == .conflict)
        #expect(try await sum(engine) == .integer(0))
        await engine.close()
    }

    @Test("a failure that is swallowed inside a transaction does not pass for a commit")
    func swallowed() async throws {
        let engine = try await open(connections: 1)
        await #expect(throws: StorageError.self) {
            try await engine.write { connection in
                _ = try connection.change("UPDATE t SET b = 5 WHERE a = 1")
                _ = try? connection.change("INSERT INTO t VALUES (1, 1)")
            }
        }
        #expect(try await sum(engine) == .integer(0))
        await engine.close()
    }

    @Test("a closed store refuses, after it did what it had accepted")
    func closed() async throws {
        let engine = try await open(connections: 2)
        await engine.close()
        await engine.close()
        await #expect(throws: StorageError.self) { _ = try await engine.query("SELECT 1") }
    }

    @Test("values come back as they went, the empty and the large among them")
    func values() async throws {
        let engine = try await open()
        _ = try await engine.change("CREATE TABLE v (n bigint, s text, b bytea)")
        let rows: [[SQLValue]] = [
            [.null, .null, .null], [.integer(.min), .text(""), .bytes([])],
            [.integer(.max), .text("ß🦊 it's"), .bytes([0, 255, 92, 39])],
            [.integer(-1), .text("x"), .bytes([UInt8](repeating: 0, count: 100_000))],
        ]
        for row in rows {
            let found = try await engine.change(
                "INSERT INTO v VALUES ($1, $2, $3) RETURNING n, s, b", arguments: row)
            #expect(found.first?.values == row)
        }
        await engine.close()
    }

    @Test("processes that migrate at once run each step once")
    func migration() async throws {
        let url = try PostgreSQLServer.shared().makeDatabase()
        let ran = try await withThrowingTaskGroup(of: [String].self) { group in
            for _ in 0..<4 {
                group.addTask {
                    let engine = PostgreSQLEngine(url: url, connections: 1)
                    let ran = try await Migration(engine: engine).run()
                    await engine.close()
                    return ran
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(ran.sorted() == SchemaStep.all.map(\.name).sorted())
    }
}
