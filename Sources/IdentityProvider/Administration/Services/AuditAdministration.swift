// SPDX-License-Identifier: Apache-2.0
import JOSE
package import Primitives
package import Storage

/// The audit log as administrators read it.
package struct AuditAdministration: Sendable {
    private let caller: AdministrativeCaller
    private var store: any ProviderStore { caller.provider.store }

    package init(_ caller: AdministrativeCaller) { self.caller = caller }

    /// An audit event, and the name of its project if that exists.
    package struct Entry: Sendable {
        package let event: AuditEvent
        package let projectName: String?
    }

    /// The events that the filter selects, newest first.
    package func page(
        _ filter: AuditFilter, before last: Identifier<AuditEvent>?, limit: Int
    ) async throws -> [Entry] {
        let events = try await store.auditEvents(filter, before: last, limit: limit)
        var names: [Identifier<Project>: String] = [:]
        for id in Set(events.map(\.project)) { names[id] = try await store.project(id)?.name }
        return events.map { Entry(event: $0, projectName: names[$0.project]) }
    }

    /// The usernames of people, of those who exist.
    package func usernames(
        of people: Set<Identifier<Person>>
    ) async throws -> [Identifier<Person>: String] {
        try await store.usernames(of: people)
    }

    /// Records that the administrator exported events of a project.
    ///
    /// - Parameter format: the format of the file.
    package func recordExport(
        of project: Identifier<Project>, format: String
    ) async throws {
        let details: JSONValue = ["format": .string(format)]
        try await caller.provider.audit.record(
            AuditEventDraft(
                "admin.audit.export", in: project, facts: caller.facts, details: details.text))
    }
}
