// SPDX-License-Identifier: Apache-2.0
package import ProviderCore
import Storage

/// The caller of the administrative services: an administrator, a program with an API token, or
/// the operator.
package struct AdministrativeCaller: Sendable {
    package let provider: Provider
    package let facts: RequestMetadata
    /// The rights of the caller; `nil` for the operator, who has all.
    package let rights: AdministratorRights?

    package init(_ provider: Provider, facts: RequestMetadata, rights: AdministratorRights?) {
        self.provider = provider
        self.facts = facts
        self.rights = rights
    }

    /// The project with this name, or `nil`.
    package func scope(ofProject name: String) async throws -> AdministrativeScope? {
        try await provider.store.projects.project(named: name).map { AdministrativeScope(self, $0) }
    }

    /// The project whose people are administrators, or `nil`.
    package func homeScope() async throws -> AdministrativeScope? {
        try await scope(ofProject: AdministratorRoles.homeProject)
    }

    /// Returns a refusal if the action changes a person who has more rights than the caller. A caller
    /// who controls that person's account would gain those rights.
    package func refusal(
        of action: ConsoleAction, on person: String, in project: String
    ) async throws -> AdministrativeRefusal? {
        guard let rights, action.changesPeople else { return nil }
        guard let person = try await scope(ofProject: project)?.person(person) else {
            return action == .editPeople ? nil : .unknown("person")
        }
        let roles = try await AdministratorRoles.current(of: person.id, provider)
        return rights.covers(roles) ? nil : AdministrativeRefusal(.forbidden, APITokens.higher)
    }
}
