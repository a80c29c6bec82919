// SPDX-License-Identifier: Apache-2.0
import Storage

/// A statement that changes at most one grant and returns it, and the audit event of that change.
/// Both are written in one commit, or neither.
///
/// The event's person is the grant's, which only the changed row contains.
struct RecordedChange: Sendable {
    /// Returns the columns of ``Grant``.
    let statement: String
    /// The change and the event as one statement, so that it shares commits. SQLite does not
    /// support changes within a `WITH`.
    private let asOne: String

    private static let personColumn = "person_id"
    private static let personPosition = AuditEvent.columns.names.firstIndex(of: personColumn)

    /// - Parameter parameters: The number of parameters of `statement`.
    init(_ statement: String, parameters: Int) {
        self.statement = statement
        var next = parameters
        let values = AuditEvent.columns.names.map { name in
            if name == Self.personColumn { return "changed.\(name)" }
            next += 1
            return "$\(next)"
        }
        asOne = """
            WITH changed AS (\(statement)), recorded AS (
            INSERT INTO audit_events (\(AuditEvent.columns.list))
            SELECT \(values.joined(separator: ", ")) FROM changed)
            SELECT \(Grant.columns.list) FROM changed
            """
    }

    /// - Returns: The grant after the change; `nil` if nothing was changed and recorded.
    func run(
        on engine: any SQLEngine, _ arguments: any SQLStorable..., recording event: AuditEvent?
    ) async throws -> Grant? {
        let values = arguments.map(\.sqlValue)
        guard let event else {
            return try await engine.change(statement, arguments: values).firstRecord(Grant.init)
        }
        switch engine.dialect {
        case .postgreSQL:
            var ofEvent = try event.values
            if let position = Self.personPosition { ofEvent.remove(at: position) }
            return try await engine.change(asOne, arguments: values + ofEvent)
                .firstRecord(Grant.init)
        case .sqlite:
            return try await engine.write { connection -> Grant? in
                let changed = try connection.change(returning: statement, arguments: values)
                guard let grant = try changed.firstRecord(Grant.init) else { return nil }
                var event = event
                event.person = grant.person
                _ = try connection.change(auditInsert, arguments: event.values)
                return grant
            }
        }
    }
}
