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
        try await write { try $0.change(returning: statement, arguments: arguments) }
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
            _ = try connection.change(auditInsert, arguments: due.values)
            return (outcome, true)
        }
        if isWritten { event.wasWritten() }
        return outcome
    }

    func snapshot<T: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> T
    ) async throws -> T { try await engine.snapshot(body) }

    func ping() async throws { try await engine.ping() }
    func size() async throws -> Int64 { try await engine.size() }
    func selfCheck() async throws -> [String] { try await engine.selfCheck() }
    func close() async { await engine.close() }
}

/// A connection that detects whether a row was inserted, updated or deleted.
private final class ChangeTrackingConnection: SQLConnection {
    private let connection: any SQLConnection
    private(set) var hasChanged = false

    init(_ connection: any SQLConnection) { self.connection = connection }

    func query(_ statement: String, arguments: [SQLValue]) throws -> [SQLRow] {
        try connection.query(statement, arguments: arguments)
    }

    func apply(_ statement: String, arguments: [SQLValue]) throws -> SQLChange {
        let change = try connection.apply(statement, arguments: arguments)
        if change.count > 0 { hasChanged = true }
        return change
    }

    func define(_ statement: String) throws { try connection.define(statement) }
}
