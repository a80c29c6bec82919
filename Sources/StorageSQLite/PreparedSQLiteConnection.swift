// SPDX-License-Identifier: Apache-2.0
import CSQLite
import Storage
import StorageSQL

/// A connection of SQLite with its prepared statements, used by one thread at a time.
final class PreparedSQLiteConnection: SQLConnection {
    /// SQLite's object; `nil` after ``close()``.
    private var database: OpaquePointer?
    private var statements: [String: OpaquePointer] = [:]
    /// The maximum number of prepared statements; more than all operations need.
    private static let capacity = 200
    /// How long a statement waits for a lock, in milliseconds.
    private static let lockTimeout: Int32 = 10_000

    /// Opens the file, or creates it.
    init(path: String) throws {
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
        guard sqlite3_open_v2(path, &database, flags, nil) == SQLITE_OK else { throw failure() }
        sqlite3_extended_result_codes(database, 1)
        sqlite3_busy_timeout(database, Self.lockTimeout)
        sqlite_refuse_double_quoted_text(database)
    }

    deinit { close() }

    func close() {
        finalizeStatements()
        sqlite3_close(database)
        database = nil
    }

    /// Whether a transaction is open.
    var isInTransaction: Bool { database.map { sqlite3_get_autocommit($0) == 0 } ?? false }

    /// Runs `body` again for as long as a statement waits for a lock.
    ///
    /// For statements that hold one lock and need another: SQLite refuses them without waiting,
    /// because two connections would wait for each other.
    func waitingForLocks<T>(_ body: (PreparedSQLiteConnection) throws -> T) throws -> T {
        let pause: Int32 = 20
        for _ in 0..<Self.lockTimeout / pause {
            do {
                return try body(self)
            } catch let error as StorageError where error.code == .contention {
                sqlite3_sleep(pause)
            }
        }
        return try body(self)
    }

    /// Runs a statement that is not needed again, and ignores its result.
    func execute(_ statement: String) throws {
        guard sqlite3_exec(database, statement, nil, nil, nil) == SQLITE_OK else {
            throw failure()
        }
    }

    private func run(_ statement: String, arguments: [SQLValue]) throws -> [SQLRow] {
        let handle = try prepared(statement)
        defer {
            sqlite3_reset(handle)
            sqlite3_clear_bindings(handle)
        }
        guard Int(sqlite3_bind_parameter_count(handle)) == arguments.count else {
            throw StorageError(.engine, "statement and arguments do not match")
        }
        for (index, value) in arguments.enumerated() { try bind(value, Int32(index) + 1, handle) }
        return try rows(of: handle)
    }

    func query(_ statement: String, arguments: [SQLValue]) throws -> [SQLRow] {
        try run(statement, arguments: arguments)
    }

    func apply(_ statement: String, arguments: [SQLValue]) throws -> SQLChange {
        let rows = try run(statement, arguments: arguments)
        return SQLChange(rows: rows, count: Int(sqlite3_changes(database)))
    }

    func define(_ statement: String) throws { _ = try run(statement, arguments: []) }

    private func prepared(_ text: String) throws -> OpaquePointer {
        if let known = statements[text] { return known }
        guard database != nil else { throw StorageError(.unavailable, "the store is closed") }
        if statements.count >= Self.capacity { finalizeStatements() }
        let made = try prepare(Self.numbered(text))
        statements[text] = made
        return made
    }

    /// Prepares one statement. SQLite reads the first of a text and leaves the rest, which would
    /// then be lost.
    private func prepare(_ text: String) throws -> OpaquePointer {
        var made: OpaquePointer?
        let (code, rest) = text.withCString { start in
            var tail: UnsafePointer<CChar>?
            let code = sqlite3_prepare_v3(
                database, start, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &made, &tail)
            return (code, tail.map { String(cString: $0) } ?? "")
        }
        guard code == SQLITE_OK else { throw failure() }
        guard let made, rest.allSatisfy(\.isWhitespace) else {
            sqlite3_finalize(made)
            throw StorageError(.engine, "not one statement: \(text)")
        }
        return made
    }

    private func finalizeStatements() {
        for statement in statements.values { sqlite3_finalize(statement) }
        statements.removeAll()
    }

    /// `$1` is a name to SQLite; `?1` is the number.
    private static func numbered(_ text: String) -> String {
        String(text.map { $0 == "$" ? "?" : $0 })
    }

    private func rows(of handle: OpaquePointer) throws -> [SQLRow] {
        var rows: [SQLRow] = []
        while true {
            switch sqlite3_step(handle) {
            case SQLITE_ROW: rows.append(row(of: handle))
            case SQLITE_DONE: return rows
            default: throw failure()
            }
        }
    }

    private func row(of handle: OpaquePointer) -> SQLRow {
        let count = sqlite3_column_count(handle)
        var values: [SQLValue] = []
        values.reserveCapacity(Int(count))
        for index in 0..<count { values.append(value(index, handle)) }
        return SQLRow(values)
    }

    private func value(_ index: Int32, _ handle: OpaquePointer) -> SQLValue {
        switch sqlite3_column_type(handle, index) {
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(handle, index))
        case SQLITE_TEXT:
            guard let text = sqlite3_column_text(handle, index) else { return .null }
            let length = Int(sqlite3_column_bytes(handle, index))
            return .text(
                String(decoding: UnsafeBufferPointer(start: text, count: length), as: UTF8.self))
        case SQLITE_BLOB:
            guard let bytes = sqlite3_column_blob(handle, index) else { return .bytes([]) }
            let length = Int(sqlite3_column_bytes(handle, index))
            return .bytes(Array(UnsafeRawBufferPointer(start: bytes, count: length)))
        default: return .null
        }
    }

    private func bind(_ value: SQLValue, _ index: Int32, _ handle: OpaquePointer) throws {
        let code =
            switch value {
            case .null: sqlite3_bind_null(handle, index)
            case .integer(let number): sqlite3_bind_int64(handle, index, number)
            case .text(let text):
                sqlite3_bind_text(
                    handle, index, text, Int32(clamping: text.utf8.count), Self.copied)
            case .bytes(let bytes):
                bytes.isEmpty
                    ? sqlite3_bind_zeroblob(handle, index, 0)
                    : sqlite3_bind_blob(
                        handle, index, bytes, Int32(clamping: bytes.count), Self.copied)
            }
        guard code == SQLITE_OK else { throw failure() }
    }

    /// `SQLITE_TRANSIENT`: SQLite copies the value before the call returns.
    private static var copied: sqlite3_destructor_type? {
        unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    }

    private func failure() -> StorageError {
        let code = sqlite3_extended_errcode(database)
        let reason = sqlite3_errmsg(database).map { String(cString: $0) } ?? ""
        return StorageError(Self.meaning(of: code), "SQLite \(code): \(reason)")
    }

    // Swift does not import these of SQLite's codes.
    private static let uniqueViolation = SQLITE_CONSTRAINT | 8 << 8
    private static let primaryKeyViolation = SQLITE_CONSTRAINT | 6 << 8
    private static let foreignKeyViolation = SQLITE_CONSTRAINT | 3 << 8

    private static func meaning(of code: Int32) -> StorageError.Code {
        switch code {
        case uniqueViolation, primaryKeyViolation: .conflict
        case foreignKeyViolation: .missingParent
        default:
            switch code & 0xFF {
            case SQLITE_BUSY, SQLITE_LOCKED: .contention
            case SQLITE_CORRUPT, SQLITE_NOTADB: .corrupt
            default: .engine
            }
        }
    }
}
