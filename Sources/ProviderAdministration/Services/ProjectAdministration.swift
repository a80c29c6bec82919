// SPDX-License-Identifier: Apache-2.0
import JOSE
package import Primitives
import ProviderCore
import ProviderTokens
package import Storage

/// The projects of the installation.
package struct ProjectAdministration: Sendable {
    private let caller: AdministrativeCaller
    private var store: any ProviderStore { caller.provider.store }

    package init(_ caller: AdministrativeCaller) { self.caller = caller }

    /// The projects in order of name.
    package var list: AdministrativeList<Project> {
        AdministrativeList("projects", caller, key: \.name) {
            try await store.projects.projects(after: $0, limit: $1)
        }
    }

    /// The projects with these identifiers that exist.
    package func projects(_ ids: some Sequence<Identifier<Project>>) async throws -> [Project] {
        var found: [Project] = []
        for id in ids {
            if let project = try await store.projects.project(id) { found.append(project) }
        }
        return found
    }

    /// The project, and the number of people who registered with test keys.
    package func overview(
        _ name: String
    ) async throws -> AdministrativeResult<(project: Project, testPeople: Int64)> {
        guard let project = try await store.projects.project(named: name) else {
            return .failure(.unknown("project"))
        }
        return .success((project, try await store.installations.testPeople(of: project)))
    }

    /// Creates the project, or changes the fields that it contains.
    package func put(
        _ project: DesiredProject, onlyNew: Bool
    ) async throws -> AdministrativeResult<[StateChange]> {
        try await caller.reconcile(project, making: .project, onlyNew: onlyNew)
    }

    /// Removes the project and all its records. The project `default` cannot be removed.
    ///
    /// - Parameter auditProject: the project of the audit event. Events of the removed project are
    ///   removed with it.
    package func remove(
        _ name: String, recordingIn auditProject: Identifier<Project>
    ) async throws -> AdministrativeResult<Void> {
        guard let project = try await store.projects.project(named: name) else {
            return .failure(.unknown("project"))
        }
        guard name != "default" else {
            return .failure(
                .conflict("default_project", "The project default cannot be removed."))
        }
        let details: JSONValue = ["name": .string(name)]
        let draft = AuditEventDraft(
            "admin.project.remove", in: auditProject, facts: caller.facts, details: details.text)
        try await caller.provider.recorded(draft) {
            try await $0.projects.remove(project: project.id)
        }
        caller.provider.tenants.invalidate()
        caller.provider.clients.invalidate()
        return .success(())
    }
}
