// SPDX-License-Identifier: Apache-2.0

/// A database engine for ``SQLStore``.
package protocol SQLEngine: Sendable {
    var dialect: SQLDialect { get }

    /// Runs a short read: a few statements that find their rows by index.
    func read<T: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> T
    ) async throws -> T

    /// Runs one changing statement, which is atomic.
    func change(_ statement: String, arguments: [SQLValue]) async throws -> [SQLRow]

    /// Runs one statement for each set of arguments; all are applied or none.
    func change(_ statement: String, each sets: [[SQLValue]]) async throws

    /// Runs one transaction. It is durable if this returns, and not applied if this throws (except
    /// `outcomeUnknown`). `body` may run more than once.
    func write<T: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> T
    ) async throws -> T

    /// Runs a long read of one snapshot of the database, separate from the short ones.
    func snapshot<T: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> T
    ) async throws -> T

    /// Throws if the database does not respond.
    func ping() async throws

    /// Returns the size of the database in bytes.
    func size() async throws -> Int64

    /// Returns the errors that the engine finds in its files; empty if there are none.
    func selfCheck() async throws -> [String]

    /// Waits for accepted work, then closes all connections.
    func close() async
}

extension SQLEngine {
    package func ping() async throws { _ = try await query("SELECT 1") }

    package func change(_ statement: String, each sets: [[SQLValue]]) async throws {
        guard !sets.isEmpty else { return }
        try await write { connection in
            for arguments in sets { _ = try connection.change(statement, arguments: arguments) }
        }
    }

    package func change(
        _ statement: String, _ arguments: any SQLStorable...
    ) async throws -> [SQLRow] {
        try await change(statement, arguments: arguments.map(\.sqlValue))
    }

    /// Runs one reading statement.
    package func query(
        _ statement: String, _ arguments: any SQLStorable...
    ) async throws -> [SQLRow] {
        let values = arguments.map(\.sqlValue)
        return try await read { try $0.query(statement, arguments: values) }
    }
}
