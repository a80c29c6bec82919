// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

let auditInsert = AuditEvent.columns.insert(into: "audit_events")

/// The audit events.
struct SQLAuditLog: AuditStore, SQLCapability {
    let database: SQLDatabase

    func append(_ events: [AuditEvent]) async throws {
        if events.count == 1, let event = events.first {
            _ = try await engine.change(auditInsert, arguments: event.values)
            return
        }
        try await engine.change(auditInsert, each: events.map { try $0.values })
    }

    func auditEvents(
        _ filter: AuditFilter, before cursor: Identifier<AuditEvent>?, limit: Int
    ) async throws -> [AuditEvent] {
        if let search = AuditByAction(filter, before: cursor, limit: limit),
            let found = try await engine.read({ try search.run($0) })
        {
            return found
        }
        if let project = filter.onlyProject {
            return try await newest(of: project, before: cursor, since: filter.since, limit)
        }
        var conditions = AuditConditions(filter)
        if let request = filter.requestID, try await !narrow(&conditions, to: request) { return [] }
        if let cursor { conditions.require("id <", cursor) }
        let arguments = conditions.values + [limit.sqlValue]
        let statement = """
            SELECT \(AuditEvent.columns.list) FROM audit_events \(conditions.text)
            ORDER BY id DESC LIMIT $\(arguments.count)
            """
        return try await engine.read({ try $0.query(statement, arguments: arguments) })
            .records(AuditEvent.init)
    }

    /// The events of a project alone. As in ``AuditByAction``, the cursor is compared as a row, so
    /// that PostgreSQL uses the index by project. Its plan for any project would otherwise scan the
    /// primary key if most events are of one project. The limit ends the scan.
    private func newest(
        of project: Identifier<Project>, before cursor: Identifier<AuditEvent>?,
        since: Timestamp?, _ limit: Int
    ) async throws -> [AuditEvent] {
        let found = try await page(
            AuditEvent.init, newestOfProject, project, cursor?.bytes ?? AuditByAction.last,
            limit: limit)
        return found.filter { $0.project == project && $0.at >= since ?? $0.at }
    }

    /// Bounds the search to the time of a request, which is the time of all its events. Returns
    /// `false` if no event of it is a refusal: the index contains only those.
    private func narrow(
        _ conditions: inout AuditConditions, to request: String
    ) async throws -> Bool {
        let refused = try await engine.read {
            try $0.query(refusedRequest, arguments: [request.sqlValue])
                .firstRecord({ try $0.time() })
        }
        guard let refused else { return false }
        conditions.require("id >=", (refused - .minutes(1)).identifierPrefix)
        conditions.require("id <", (refused + .minutes(1)).identifierPrefix)
        return true
    }
}

/// If a project has fewer events than the limit, those of others follow.
private let newestOfProject = """
    SELECT \(AuditEvent.columns.list) FROM audit_events WHERE (project_id, id) < ($1, $2)
    ORDER BY project_id DESC, id DESC
    """
/// In the form of the index.
private let refusedRequest = """
    SELECT at FROM audit_events WHERE request_id = $1 AND outcome = 'refused' LIMIT 1
    """

extension AuditFilter {
    /// The project, if only it and the time are selected.
    fileprivate var onlyProject: Identifier<Project>? {
        var rest = self
        (rest.project, rest.since) = (nil, nil)
        return rest == AuditFilter() ? project : nil
    }
}

/// A filter as SQL: a conjunction of conditions.
private struct AuditConditions {
    private var conditions: [String] = []
    private(set) var values: [SQLValue] = []

    var text: String {
        conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND ")
    }

    mutating func require(_ condition: String, _ value: some SQLStorable) {
        values.append(value.sqlValue)
        conditions.append(condition + " $\(values.count)")
    }

    init(_ filter: AuditFilter) {
        if let project = filter.project { require("project_id =", project) }
        if let person = filter.person { require("person_id =", person) }
        if let requestID = filter.requestID { require("request_id =", requestID) }
        if let clientID = filter.clientID { require("client_id =", clientID) }
        if let device = filter.device { require("device_id =", device.description) }
        if let action = filter.action {
            if action.hasSuffix(".") {
                // Every text that starts with "a." lies between "a." and "a/".
                require("action >=", action)
                require("action <", String(action.dropLast()) + "/")
            } else {
                require("action =", action)
            }
        }
        if let outcome = filter.outcome {
            let isOfClient = filter.clientID != nil && filter.project == nil
            let isNarrow = filter.person != nil || filter.device != nil || isOfClient
            if outcome == .refused, !isNarrow {
                // In the form of the indexes. An index of a smaller set than refusals is preferred.
                conditions.append("outcome = 'refused'")
            } else {
                require("outcome =", outcome.rawValue)
            }
        }
        if let since = filter.since {
            require("at >=", since)
            // The bound is the prefix of identifiers, so earlier events are not read.
            require("id >=", since.identifierPrefix)
        }
    }
}
