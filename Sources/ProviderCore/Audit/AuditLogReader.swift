// SPDX-License-Identifier: Apache-2.0
import JOSE
package import Primitives
package import Storage

/// The audit log as administrators read it.
package struct AuditLogReader: Sendable {
    private let provider: Provider
    private var store: any ProviderStore { provider.store }

    package init(_ provider: Provider) { self.provider = provider }

    /// An audit event, and the name of its project if that exists.
    package struct Entry: Sendable {
        package let event: AuditEvent
        package let projectName: String?
    }

    /// The events that the filter selects, newest first.
    package func page(
        _ filter: AuditFilter, before last: Identifier<AuditEvent>?, limit: Int
    ) async throws -> [Entry] {
        let events = try await store.auditLog.auditEvents(filter, before: last, limit: limit)
        var names: [Identifier<Project>: String] = [:]
        for id in Set(events.map(\.project)) {
            names[id] = try await store.projects.project(id)?.name
        }
        return events.map { Entry(event: $0, projectName: names[$0.project]) }
    }

    /// The usernames of people, of those who exist.
    package func usernames(
        of people: Set<Identifier<Person>>
    ) async throws -> [Identifier<Person>: String] {
        try await store.people.usernames(of: people)
    }

    /// The person of a filter.
    ///
    /// - Parameter username: in canonical form.
    package func person(
        _ username: String, in project: Identifier<Project>
    ) async throws -> Identifier<Person>? {
        try await store.people.person(username: username, in: project)?.id
    }

    /// Records that an administrator exported events of a project.
    ///
    /// - Parameter format: the format of the file.
    package func recordExport(
        of project: Identifier<Project>, format: String, facts: RequestMetadata
    ) async throws {
        let details: JSONValue = ["format": .string(format)]
        try await provider.audit.record(
            AuditEventDraft(
                "admin.audit.export", in: project, facts: facts, details: details.text))
    }
}
