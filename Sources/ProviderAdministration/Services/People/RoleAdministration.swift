// SPDX-License-Identifier: Apache-2.0
package import Primitives
package import ProviderCore
import ProviderPeople
import ProviderSettings
package import Storage

/// The administrators: their roles, their credentials that await approval, and what they created.
/// A person is named by username or `sub` of the home project.
package struct RoleAdministration: Sendable {
    private let caller: AdministrativeCaller
    private var store: any ProviderStore { caller.provider.store }

    package init(_ caller: AdministrativeCaller) { self.caller = caller }

    /// A credential that awaits approval, and its person.
    package struct AwaitingCredential: Sendable {
        package let credential: Credential
        package let person: Person
    }

    package func awaitingCredentials() async throws -> AdministrativeList<AwaitingCredential> {
        var found: [AwaitingCredential] = []
        for credential in try await store.credentials.credentialsAwaitingApproval() {
            guard let person = try await store.people.person(credential.person) else { continue }
            found.append(AwaitingCredential(credential: credential, person: person))
        }
        return AdministrativeList(
            "awaited-approvals", caller, all: found, key: \.credential.id.description)
    }

    /// Approves credentials, if they are exactly those that await approval.
    ///
    /// - Parameter shown: `nil` if the message does not name credentials.
    package func approve(
        _ shown: Set<Identifier<Credential>>?, of name: String, notices: any NotificationComposer
    ) async throws -> AdministrativeResult<Void> {
        guard let home = try await caller.homeScope(), let person = try await home.person(name)
        else { return .failure(.unknown("person")) }
        guard let shown else {
            return .failure(
                .invalid("invalid_approval", "credentials must be a list of the ids that wait."))
        }
        let approvals = AwaitedApprovals(home.ceremony(notices))
        return try await approvals.approve(shown, of: person, by: caller.facts.administrator)
            .mapError(Self.refusal)
    }

    /// The roles, oldest first.
    package var list: AdministrativeList<AdministratorSummary> {
        AdministrativeList("administrators", caller, key: \.administrator.id.description) {
            try await store.administrators.administrators(
                after: $0.flatMap { Identifier($0) }, limit: $1)
        }
    }

    /// A role that a person now has.
    package struct Assignment: Sendable {
        package let administrator: Administrator
        package let person: Person
        /// `nil` for all projects.
        package let project: Project?
    }

    /// - Parameter projectName: `nil` for all projects.
    package func grant(
        _ role: Administrator.Role, to name: String, in projectName: String?
    ) async throws -> AdministrativeResult<Assignment> {
        try await change(name, projectName) { roles, person, project in
            try await roles.grant(role, to: person, in: project).map {
                Assignment(administrator: $0, person: person, project: project)
            }
        }
    }

    package func revoke(
        from name: String, in projectName: String?
    ) async throws -> AdministrativeResult<Void> {
        try await change(name, projectName) { roles, person, project in
            try await roles.revoke(from: person, in: project)
        }
    }

    private func change<Value>(
        _ name: String, _ projectName: String?,
        _ body: (AdministratorRoles, Person, Project?) async throws -> Result<Value, Refusal>
    ) async throws -> AdministrativeResult<Value> {
        var project: Project?
        if let projectName {
            project = try await store.projects.project(named: projectName)
            guard project != nil else { return .failure(.unknown("project")) }
        }
        guard let home = try await caller.homeScope(), let person = try await home.person(name)
        else { return .failure(.unknown("person")) }
        let roles = AdministratorRoles(
            caller.provider, home: home.project.id, facts: caller.facts)
        return try await body(roles, person, project).mapError(Self.refusal)
    }

    /// The active resources that the person created, also if the account no longer exists. `nil` if
    /// the name is not valid.
    package func resources(
        createdBy name: String
    ) async throws -> AdministrativeList<OwnedResources.Item>? {
        let person = try await caller.homeScope()?.person(name)
        guard let username = person?.username ?? UserName.canonical(name) else { return nil }
        let resources = OwnedResources(caller.provider, now: caller.facts.now)
        return AdministrativeList(
            "belongings/\(username)", caller, all: try await resources.all(of: username),
            key: \.key)
    }

    private static func refusal(_ refusal: Refusal) -> AdministrativeRefusal {
        AdministrativeRefusal(
            refusal.code.hasPrefix("unknown_") ? .unknown : .conflict, refusal)
    }
}
