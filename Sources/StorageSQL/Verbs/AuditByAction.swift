// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

/// A search for the events of an action, or of a prefix of actions: page by page, newest first.
///
/// The index is ordered within an action, project and outcome. So the search first finds the
/// existing combinations, one after another, then the newest events of each. The cost depends on
/// the number of combinations and not on the number of events.
///
/// Cursors are compared as whole rows, not column by column. Only this index has that order, so
/// PostgreSQL does not scan another one. A comparison of rows ends a scan of PostgreSQL by its first
/// column only, so the limit ends it.
struct AuditByAction: Sendable {
    private let filter: AuditFilter
    /// With the dot of a prefix.
    private let action: String
    /// The identifier before which the events are.
    private let end: [UInt8]
    private let limit: Int

    /// Returns `nil` if an index on a more selective column applies.
    init?(_ filter: AuditFilter, before cursor: Identifier<AuditEvent>?, limit: Int) {
        guard let action = filter.action, filter.person == nil, filter.clientID == nil,
            filter.device == nil, filter.requestID == nil
        else { return nil }
        (self.filter, self.action, self.limit) = (filter, action, limit)
        end = cursor?.bytes ?? Self.last
    }

    /// A combination of which there may be events.
    private struct Combination {
        let action: String
        let project: [UInt8]
        let outcome: AuditEvent.Outcome

        func contains(_ event: AuditEvent) -> Bool {
            event.action == action && event.project.bytes == project && event.outcome == outcome
        }
    }

    /// - Returns: `nil` if there are so many combinations that a scan from the newest event is
    ///   cheaper: such events are frequent.
    func run(_ connection: any SQLConnection) throws -> [AuditEvent]? {
        guard let combinations = try combinations(connection) else { return nil }
        var found: [AuditEvent] = []
        for combination in combinations {
            found += try connection.query(
                Self.newest, combination.action, combination.project, combination.outcome.rawValue,
                end, limit
            ).records(AuditEvent.init).prefix { combination.contains($0) }
        }
        if let since = filter.since { found.removeAll { $0.at < since } }
        return Array(found.sorted { $0.id > $1.id }.prefix(limit))
    }

    private static let maximumCombinations = 256

    /// Returns the existing combinations of action, project and outcome.
    private func combinations(_ connection: any SQLConnection) throws -> [Combination]? {
        var combinations: [Combination] = []
        for action in try actions(connection) {
            for project in try projects(of: action, connection) {
                combinations += outcomes.map {
                    Combination(action: action, project: project, outcome: $0)
                }
            }
            guard combinations.count <= Self.maximumCombinations else { return nil }
        }
        return combinations
    }

    private var outcomes: [AuditEvent.Outcome] {
        filter.outcome.map { [$0] } ?? [.accepted, .refused]
    }

    private func actions(_ connection: any SQLConnection) throws -> [String] {
        guard action.hasSuffix(".") else { return [action] }
        // Every text that begins with "a." lies between "a." and "a/".
        let end = String(action.dropLast()) + "/"
        var found: [String] = []
        while let next = try connection.query(Self.nextAction, found.last ?? action, end)
            .firstRecord({ try $0.text() })
        { found.append(next) }
        return found
    }

    private func projects(
        of action: String, _ connection: any SQLConnection
    ) throws -> [[UInt8]] {
        if let project = filter.project { return [project.bytes] }
        var found: [[UInt8]] = []
        while found.count <= Self.maximumCombinations,
            let next = try connection.query(Self.nextProject, action, found.last ?? [], Self.last)
                .firstRecord({ try $0.bytes() })
        { found.append(next) }
        return found
    }

    /// After every identifier.
    static let last = [UInt8](repeating: 0xFF, count: 17)

    private static let nextAction = """
        SELECT action FROM audit_events WHERE action > $1 AND action < $2
        ORDER BY action LIMIT 1
        """
    private static let nextProject = """
        SELECT project_id FROM audit_events WHERE (action, project_id) > ($1, $2)
        AND (action, project_id) < ($1, $3) ORDER BY action, project_id LIMIT 1
        """
    /// If a combination has fewer events than the limit, those of others follow.
    private static let newest = """
        SELECT \(AuditEvent.columns.list) FROM audit_events
        WHERE (action, project_id, outcome, id) < ($1, $2, $3, $4)
        ORDER BY action DESC, project_id DESC, outcome DESC, id DESC LIMIT $5
        """
}
