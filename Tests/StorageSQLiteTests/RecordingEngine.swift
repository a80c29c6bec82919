// SPDX-License-Identifier: Apache-2.0
import StorageSQL
import Synchronization

/// An engine that records every statement that runs on it, and those that a call marks wrongly.
final class RecordingEngine: SQLEngine {
    let engine: any SQLEngine
    private let record = Mutex<[String]>([])
    private let wrong = Mutex<[String]>([])

    init(_ engine: any SQLEngine) { self.engine = engine }

    /// The statements since the last call.
    func takeStatements() -> [String] {
        record.withLock { record in
            defer { record = [] }
            return record
        }
    }

    /// The statements that change rows and ran as a query, or the other way round.
    var wronglyMarked: [String] { wrong.withLock { $0 } }

    var dialect: SQLDialect { engine.dialect }

    func read<T: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> T
    ) async throws -> T {
        try await engine.read { try body(Connection($0, self)) }
    }

    func change(_ statement: String, arguments: [SQLValue]) async throws -> [SQLRow] {
        note(statement, isChange: true)
        return try await engine.change(statement, arguments: arguments)
    }

    func write<T: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> T
    ) async throws -> T {
        try await engine.write { try body(Connection($0, self)) }
    }

    /// Long reads are not recorded: they may look at everything.
    func snapshot<T: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> T
    ) async throws -> T {
        try await engine.snapshot(body)
    }

    func size() async throws -> Int64 { try await engine.size() }
    func selfCheck() async throws -> [String] { try await engine.selfCheck() }
    func close() async { await engine.close() }

    private func note(_ statement: String, isChange: Bool) {
        record.withLock { $0.append(statement) }
        let words = ["INSERT", "UPDATE", "DELETE"]
        if words.contains(where: statement.hasPrefix) != isChange {
            wrong.withLock { $0.append(statement) }
        }
    }

    private final class Connection: SQLConnection {
        private let connection: any SQLConnection
        private let recorder: RecordingEngine

        init(_ connection: any SQLConnection, _ recorder: RecordingEngine) {
            self.connection = connection
            self.recorder = recorder
        }

        func query(_ statement: String, arguments: [SQLValue]) throws -> [SQLRow] {
            recorder.note(statement, isChange: false)
            return try connection.query(statement, arguments: arguments)
        }

        func apply(_ statement: String, arguments: [SQLValue]) throws -> SQLChange {
            recorder.note(statement, isChange: true)
            return try connection.apply(statement, arguments: arguments)
        }

        func define(_ statement: String) throws { try connection.define(statement) }
    }
}
