// SPDX-License-Identifier: Apache-2.0
import CSQLite
import Foundation
import Storage
import StorageSQL
import StorageSQLite
import Support
import Testing

/// What ``SQLiteEngine`` sets on each connection that it opens.
@Suite struct SQLiteConnectionTests {
    private let folder = TestFolder()

    private func open() throws -> SQLiteEngine { try SQLiteEngine(path: folder.path("store")) }

    @Test("a connection enforces foreign keys, waits ten seconds for a lock and writes to a log")
    func settings() async throws {
        let engine = try open()
        let values = try await engine.write { connection in
            try ["foreign_keys", "busy_timeout", "journal_mode"].map {
                try connection.first("PRAGMA \($0)")?.values.first
            }
        }
        #expect(values == [.integer(1), .integer(10_000), .text("wal")])
        await engine.close()
    }

    @Test("a connection waits while another process has the lock of a file without a log")
    func waitsForLog() async throws {
        let path = folder.path("store")
        nonisolated(unsafe) var other: OpaquePointer?
        #expect(sqlite3_open(path, &other) == SQLITE_OK)
        #expect(
            sqlite3_exec(other, "CREATE TABLE t (a); BEGIN IMMEDIATE", nil, nil, nil) == SQLITE_OK)
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(100)) {
            sqlite3_close(other)
        }
        let engine = try await blocking { try SQLiteEngine(path: path) }
        let mode = try await engine.query("PRAGMA journal_mode")
        #expect(mode.first?.values == [.text("wal")])
        await engine.close()
    }

    @Test(
        "what is not one statement is refused whole",
        arguments: ["CREATE TABLE a (b); CREATE TABLE c (d)", "", "-- nothing"])
    func oneStatement(_ text: String) async throws {
        let engine = try open()
        await #expect(throws: StorageError.self) { _ = try await engine.change(text) }
        let tables = try await engine.query("SELECT count(*) FROM sqlite_master")
        #expect(tables.first?.values == [.integer(0)])
        #expect(try await engine.query("SELECT 1 ; \n").count == 1)
        await engine.close()
    }

    @Test("a misspelt column in double quotes is an error, and not a text")
    func doubleQuotes() async throws {
        let engine = try open()
        _ = try await engine.change("CREATE TABLE t (name TEXT)")
        await #expect(throws: StorageError.self) {
            _ = try await engine.query(#"SELECT "nmae" FROM t"#)
        }
        await engine.close()
    }

    @Test("a connection has room for more statements than it prepares at once")
    func manyStatements() async throws {
        let engine = try open()
        for number in 0..<450 {
            let rows = try await engine.query("SELECT \(number)")
            #expect(rows.first?.values == [.integer(Int64(number))])
        }
        await engine.close()
    }

    @Test("a file that is no database is corrupt, and one that cannot be created is unavailable")
    func unopened() throws {
        let path = folder.path("picture")
        try Data(repeating: 7, count: 8192).write(to: URL(filePath: path))
        #expect { try SQLiteEngine(path: path) } throws: { ($0 as? StorageError)?.code == .corrupt }
        #expect {
            try SQLiteArchive.edit(folder.path("missing/store")) { _ in }
        } throws: { ($0 as? StorageError)?.code == .unavailable }
    }
}
