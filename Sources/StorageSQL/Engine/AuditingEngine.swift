// SPDX-License-Identifier: Apache-2.0
import Storage

/// An engine that writes an event with the first change that affects a row: both in one commit, or
/// neither, for every operation.
struct AuditingEngine: SQLEngine {
    private let engine: any SQLEngine
    private let event: TransactionalAuditEvent

    init(_ engine: any SQLEngine, _ event: TransactionalAuditEvent) {
        self.engine = engine
        self.event = event
    }

    var dialect: SQLDialect { engine.dialect }

    func read<T: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> T
    ) async throws -> T { try await engine.read(body) }

    func change(_ statement: String, arguments: [SQLValue]) async throws -> [SQLRow] {
        try await write { try $0.run(statement, arguments: arguments) }
    }

    func write<T: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> T
    ) async throws -> T {
        let event = event
        let (outcome, isWritten) = try await engine.write { connection in
            let watched = ChangeTrackingConnection(connection)
            let outcome = try body(watched)
            guard watched.hasChanged || event.isAlwaysDue, let due = event.due else {
                return (outcome, false)
            }
            _ = try connection.run(auditInsert, arguments: due.values)
            return (outcome, true)
        }
        if isWritten { event.wasWritten() }
        return outcome
    }

    func snapshot<T: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> T
    ) async throws -> T { try await engine.snapshot(body) }

    func size() async throws -> Int64 { try await engine.size() }
    func selfCheck() async throws -> [String] { try await engine.selfCheck() }
    func close() async { await engine.close() }
}

/// A connection that detects whether a row was inserted, updated or deleted.
private final class ChangeTrackingConnection: SQLConnection {
    private let connection: any SQLConnection
    private(set) var hasChanged = false

    init(_ connection: any SQLConnection) { self.connection = connection }

    func run(_ statement: String, arguments: [SQLValue]) throws -> [SQLRow] {
        let isChange = ["INSERT", "UPDATE", "DELETE"].contains {
            statement.hasPrefix($0) || statement.hasPrefix("WITH") && statement.contains($0 + " ")
        }
        guard isChange, !statement.contains("RETURNING") else {
            let rows = try connection.run(statement, arguments: arguments)
            if isChange, !rows.isEmpty { hasChanged = true }
            return rows
        }
        _ = try change(statement, arguments: arguments)
        return []
    }

    func change(_ statement: String, arguments: [SQLValue]) throws -> Int {
        let count = try connection.change(statement, arguments: arguments)
        if count > 0 { hasChanged = true }
        return count
    }
}
