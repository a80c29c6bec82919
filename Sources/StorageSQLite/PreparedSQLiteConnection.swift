// SPDX-License-Identifier: Apache-2.0
import GRDB
import GRDBSQLite
import Storage
import StorageSQL

/// A GRDB connection with its prepared statements. Values go straight to SQLite and back: GRDB
/// opens, configures and guards the connection, but its rows are not made.
final class PreparedSQLiteConnection: SQLConnection {
    private let database: Database
    private var statements: [String: Statement] = [:]
    /// The maximum number of prepared statements; more than all operations need.
    private static let capacity = 200

    init(_ database: Database) { self.database = database }

    /// Whether a transaction is open.
    var isInTransaction: Bool { database.isInsideTransaction }

    private func run(_ statement: String, arguments: [SQLValue]) throws -> [SQLRow] {
        let handle = try prepared(statement).sqliteStatement
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
        return SQLChange(rows: rows, count: Int(sqlite3_changes(database.sqliteConnection)))
    }

    func define(_ statement: String) throws { _ = try run(statement, arguments: []) }

    private func prepared(_ text: String) throws -> Statement {
        if let known = statements[text] { return known }
        if statements.count >= Self.capacity { statements.removeAll() }
        do {
            let made = try database.makeStatement(sql: Self.numbered(text))
            statements[text] = made
            return made
        } catch let error as DatabaseError {
            throw StorageError(.engine, error.message ?? "cannot prepare a statement")
        }
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
        let code = sqlite3_extended_errcode(database.sqliteConnection)
        let reason = sqlite3_errmsg(database.sqliteConnection).map { String(cString: $0) } ?? ""
        return StorageError(Self.meaning(of: code), "SQLite \(code): \(reason)")
    }

    private static func meaning(of code: Int32) -> StorageError.Code {
        switch ResultCode(rawValue: code) {
        case .SQLITE_CONSTRAINT_UNIQUE, .SQLITE_CONSTRAINT_PRIMARYKEY: .conflict
        case .SQLITE_CONSTRAINT_FOREIGNKEY: .missingParent
        case .SQLITE_CORRUPT, .SQLITE_NOTADB: .corrupt
        default:
            switch code & 0xFF {
            case SQLITE_BUSY, SQLITE_LOCKED: .contention
            case SQLITE_CORRUPT, SQLITE_NOTADB: .corrupt
            default: .engine
            }
        }
    }
}
