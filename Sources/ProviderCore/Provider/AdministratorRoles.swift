// SPDX-License-Identifier: Apache-2.0
package import Primitives
package import Storage

/// Assigns and revokes console roles. The audit events are in the home project, whose people
/// administrators are.
package struct AdministratorRoles: Sendable {
    /// The project whose people can be administrators of all projects.
    package static let homeProject = "default"

    private let provider: Provider
    private let home: Identifier<Project>
    private let facts: RequestMetadata

    package init(_ provider: Provider, home: Identifier<Project>, facts: RequestMetadata) {
        self.provider = provider
        self.home = home
        self.facts = facts
    }

    /// The current roles of a person.
    package static func current(
        of person: Identifier<Person>, _ provider: Provider
    ) async throws -> [Administrator] {
        try await provider.store.administrators.administration(of: person)
    }

    /// - Parameter project: `nil` for all. The role of an owner is always for all.
    package func grant(
        _ role: Administrator.Role, to person: Person, in project: Project?
    ) async throws -> Result<Administrator, Refusal> {
        guard role != .owner || project == nil else {
            return .failure(
                Refusal("owner_of_all", "An owner's role is for every project.", reason: "scope"))
        }
        let administrator = administrator(role, person, project)
        let draft = draft("admin.role.grant", person, project, role)
        let outcome = try await provider.recorded(draft) {
            try await $0.administrators.assign(administrator)
        }
        switch outcome {
        case .assigned: return .success(administrator)
        case .lastOwner: return .failure(Self.lastOwner)
        case .unknown:
            return .failure(
                Refusal(
                    "unknown_person", "There is no such person.", reason: "deleted in the meantime")
            )
        }
    }

    package func revoke(
        from person: Person, in project: Project?
    ) async throws -> Result<Void, Refusal> {
        let draft = draft("admin.role.revoke", person, project, nil)
        let outcome = try await provider.recorded(draft) {
            try await $0.administrators.dismiss(administrator: person.id, of: project?.id)
        }
        switch outcome {
        case .dismissed: return .success(())
        case .lastOwner: return .failure(Self.lastOwner)
        case .unknown:
            return .failure(
                Refusal(
                    "unknown_role", "The person does not have this role.", reason: "unknown role"))
        }
    }

    package static let lastOwner = Refusal(
        "last_owner", "This is the last owner. Assign the role owner to another person first.",
        reason: "last owner")

    /// The role and the audit event for a person who becomes an owner in the same transaction.
    package func owner(_ person: Person) -> (role: Administrator, draft: AuditEventDraft) {
        (
            administrator(.owner, person, nil),
            draft("admin.role.grant", person, nil, .owner)
        )
    }

    private func administrator(
        _ role: Administrator.Role, _ person: Person, _ project: Project?
    ) -> Administrator {
        Administrator(
            id: Identifier(now: facts.now, random: provider.random), person: person.id,
            project: project?.id, role: role, createdAt: facts.now)
    }

    private func draft(
        _ action: String, _ person: Person, _ project: Project?, _ role: Administrator.Role?
    ) -> AuditEventDraft {
        let words = [
            "username": person.username, "project": project?.name ?? "*",
            "role": role?.rawValue,
        ].compactMapValues { $0 }
        return AuditEventDraft(
            action, in: home, facts: facts, person: person.id, details: AuditDetails.text(words))
    }
}
