// SPDX-License-Identifier: Apache-2.0

/// One capability of ``SQLStore``: the operations on one kind of record, over one database.
///
/// Frequent operations are one statement each: rotating a refresh token, redeeming a code,
/// consuming a challenge, recording an attempt. They are atomic without a transaction. A second
/// statement follows only if the first affected no row, to find the reason. What several
/// capabilities need within a transaction is a function of ``SQLConnection``.
protocol SQLCapability: Sendable {
    var database: SQLDatabase { get }
}

extension SQLCapability {
    var engine: any SQLEngine { database.engine }
    var dialect: SQLDialect { database.engine.dialect }

    /// Returns the first row of the result as a record.
    func one<Record: Sendable>(
        _ make: @Sendable (inout SQLRow) throws -> Record, _ statement: String,
        _ arguments: any SQLStorable...
    ) async throws -> Record? {
        let values = arguments.map(\.sqlValue)
        guard var row = try await engine.read({ try $0.query(statement, arguments: values) }).first
        else { return nil }
        return try make(&row)
    }

    /// Returns every row of the result as a record.
    func all<Record: Sendable>(
        _ make: @Sendable (inout SQLRow) throws -> Record, _ statement: String,
        _ arguments: any SQLStorable...
    ) async throws -> [Record] {
        let values = arguments.map(\.sqlValue)
        return try await engine.read({ try $0.query(statement, arguments: values) }).records(make)
    }
}

extension [SQLRow] {
    func records<Record>(_ make: (inout SQLRow) throws -> Record) throws -> [Record] {
        try map { row in
            var row = row
            return try make(&row)
        }
    }

    func firstRecord<Record>(_ make: (inout SQLRow) throws -> Record) throws -> Record? {
        guard var row = first else { return nil }
        return try make(&row)
    }
}
