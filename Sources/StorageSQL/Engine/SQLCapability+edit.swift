// SPDX-License-Identifier: Apache-2.0
import Storage

/// Rolls back an edit that would disable the last owner.
struct LastOwner: Error {}

extension SQLCapability {
    /// Reads and locks a record, applies `edit`, and saves the result with `write`, in one
    /// transaction. An unchanged record is not written. `also` runs in both cases, unless the edit
    /// was refused. `write` gets the stored row too (``RecordUpdate``).
    func edit<Record: Equatable & Sendable, Objection: Sendable>(
        _ make: @escaping @Sendable (inout SQLRow) throws -> Record, _ select: String,
        _ key: [SQLValue], _ edit: @escaping @Sendable (inout Record) -> Objection?,
        also: @escaping @Sendable (any SQLConnection) throws -> Void = { _ in },
        _ write: @escaping @Sendable (any SQLConnection, SQLRow, Record, Record) throws -> Void
    ) async throws -> RecordEdit<Record, Objection> {
        let held = select + dialect.forChange
        do {
            return try await engine.write { connection in
                let rows = try connection.query(held, arguments: key)
                guard let row = rows.first, let found = try rows.firstRecord(make) else {
                    return .unknown
                }
                var record = found
                if let objection = edit(&record) { return .refused(objection) }
                if record != found { try write(connection, row, found, record) }
                try also(connection)
                return .saved(from: found, to: record)
            }
        } catch is LastOwner {
            return .lastOwner
        } catch let error as StorageError where error.code == .conflict {
            return .taken
        }
    }
}
