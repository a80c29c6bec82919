// SPDX-License-Identifier: Apache-2.0

/// What ``SQLStore`` needs of a database engine.
package protocol SQLEngine: Sendable {
    var dialect: SQLDialect { get }

    /// A short read: a few statements that each find their rows by index.
    func read<T: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> T
    ) async throws -> T

    /// One statement that changes something, atomic by itself.
    func change(_ statement: String, arguments: [SQLValue]) async throws -> [SQLRow]

    /// One statement for each set of arguments; all of it happens or nothing does.
    func change(_ statement: String, each sets: [[SQLValue]]) async throws

    /// One transaction. It has happened, durably, when this returns; it has not when this throws
    /// (but for `outcomeUnknown`). `body` may run more than once.
    func write<T: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> T
    ) async throws -> T

    /// A long read that sees one moment of the database, away from the short ones.
    func snapshot<T: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> T
    ) async throws -> T

    /// Size of the database in bytes.
    func size() async throws -> Int64

    /// What the engine itself finds wrong with its files; empty when nothing.
    func selfCheck() async throws -> [String]

    /// Waits for what was accepted, then lets go of everything.
    func close() async
}

extension SQLEngine {
    package func change(_ statement: String, each sets: [[SQLValue]]) async throws {
        guard !sets.isEmpty else { return }
        try await write { connection in
            for arguments in sets { _ = try connection.run(statement, arguments: arguments) }
        }
    }

    package func change(
        _ statement: String, _ arguments: any SQLStorable...
    ) async throws -> [SQLRow] {
        try await change(statement, arguments: arguments.map(\.sqlValue))
    }

    /// One reading statement.
    package func query(
        _ statement: String, _ arguments: any SQLStorable...
    ) async throws -> [SQLRow] {
        let values = arguments.map(\.sqlValue)
        return try await read { try $0.run(statement, arguments: values) }
    }
}
