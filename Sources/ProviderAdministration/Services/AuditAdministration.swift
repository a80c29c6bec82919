// SPDX-License-Identifier: Apache-2.0
import Primitives
package import ProviderCore
import Storage

/// The audit log of the installation.
package struct AuditAdministration: Sendable {
    private let caller: AdministrativeCaller

    package init(_ caller: AdministrativeCaller) { self.caller = caller }

    /// The events, newest first.
    ///
    /// - Parameter conditions: the filter, by the names of the Admin API: `project`, `action`,
    ///   `person`, `device`, `client`, `request`, `outcome` and `since`.
    package func list(
        _ conditions: [String: String]
    ) async throws -> AdministrativeResult<AdministrativeList<AuditLogReader.Entry>> {
        var filter = AuditFilter()
        if let name = conditions["project"] {
            guard let scope = try await caller.scope(ofProject: name) else {
                return .failure(.unknown("project"))
            }
            filter.project = scope.project.id
        }
        do throws(AdministrativeRefusal) { try Self.read(conditions, into: &filter) } catch {
            return .failure(error)
        }
        let (reader, selected) = (AuditLogReader(caller.provider), filter)
        return .success(
            AdministrativeList("audit", caller, key: \.event.id.description) {
                try await reader.page(selected, before: $0.flatMap { Identifier($0) }, limit: $1)
            })
    }

    /// A page of ``list(_:)``.
    package func page(
        _ conditions: [String: String], limit: Int, from cursor: String?
    ) async throws -> AdministrativeResult<AdministrativeList<AuditLogReader.Entry>.Page> {
        switch try await list(conditions) {
        case .failure(let refusal): .failure(refusal)
        case .success(let list): try await list.page(limit: limit, from: cursor)
        }
    }

    private static func read(
        _ conditions: [String: String], into filter: inout AuditFilter
    ) throws(AdministrativeRefusal) {
        func value<Value>(
            _ name: String, _ form: String, _ parse: (String) -> Value?
        ) throws(AdministrativeRefusal) -> Value? {
            guard let text = conditions[name] else { return nil }
            if let value = parse(text) { return value }
            throw AdministrativeRefusal(
                .malformed, "invalid_\(name)", "\(name) must be \(form).")
        }
        filter.action = conditions["action"]
        filter.clientID = conditions["client"]
        filter.requestID = conditions["request"]
        filter.person = try value("person", "the person's sub, a UUID") {
            Identifier<Person>($0)
        }
        filter.device = try value("device", "the device's id, a UUID") {
            Identifier<Device>($0)
        }
        filter.outcome = try value("outcome", "accepted or refused") {
            AuditEvent.Outcome(rawValue: $0)
        }
        filter.since = try value("since", "an RFC 3339 moment such as 2026-01-31T12:00:00Z") {
            Timestamp(rfc3339: $0)
        }
    }
}
