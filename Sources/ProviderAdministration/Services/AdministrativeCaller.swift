// SPDX-License-Identifier: Apache-2.0
package import ProviderCore
package import Storage

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

    /// Whether the caller has all rights of this person, whose account the action changes. Control
    /// of that account would otherwise give more rights to the caller.
    package func covers(_ person: Person) async throws -> Bool {
        guard let rights else { return true }
        return rights.covers(try await AdministratorRoles.current(of: person.id, provider))
    }
}
