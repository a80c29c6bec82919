// SPDX-License-Identifier: Apache-2.0
package import Primitives
import Storage

/// Every verb of the store, once, over any ``SQLEngine``. One file per capability in `Verbs/`.
///
/// Verbs on hot paths are one statement each (rotating a refresh token, redeeming a code,
/// consuming a challenge, counting an attempt): atomic by themselves, with no transaction around
/// them. A second step follows only when the first found nothing, to say why.
package struct SQLStore: ProviderStore {
    let engine: any SQLEngine
    let archives: any ArchiveFormat
    /// How long audit events are kept.
    let auditRetention: TimeSpan

    package init(
        engine: any SQLEngine, archives: any ArchiveFormat, auditRetention: TimeSpan = .days(400)
    ) {
        self.engine = engine
        self.archives = archives
        self.auditRetention = auditRetention
    }

    var dialect: SQLDialect { engine.dialect }

    /// The first row of the answer as a record.
    func one<Record: Sendable>(
        _ make: @Sendable (inout SQLRow) throws -> Record, _ statement: String,
        _ arguments: any SQLStorable...
    ) async throws -> Record? {
        let values = arguments.map(\.sqlValue)
        guard var row = try await engine.read({ try $0.run(statement, arguments: values) }).first
        else { return nil }
        return try make(&row)
    }

    /// Every row of the answer as a record.
    func all<Record: Sendable>(
        _ make: @Sendable (inout SQLRow) throws -> Record, _ statement: String,
        _ arguments: any SQLStorable...
    ) async throws -> [Record] {
        let values = arguments.map(\.sqlValue)
        return try await engine.read({ try $0.run(statement, arguments: values) }).records(make)
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
