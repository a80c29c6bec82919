// SPDX-License-Identifier: Apache-2.0
package import Primitives
import ProviderCore
import ProviderSettings
package import Storage

/// Finds the person for a typed name or the `login_hint` of a client.
package struct PersonLookup: Sendable {
    private let people: any PersonStore
    private let project: Identifier<Project>

    package init(_ people: any PersonStore, _ project: Identifier<Project>) {
        self.people = people
        self.project = project
    }

    /// Finds a person by a verified email address that exactly one person has, or else by username.
    /// The owner of the address has precedence over an older username that looks like it.
    package func person(calling typed: String) async throws -> Person? {
        if let address = EmailAddressSyntax.canonical(typed),
            let owner = try await people.person(verifiedEmail: address, in: project)
        {
            return owner
        }
        guard let name = UserName.canonical(typed) else { return nil }
        return try await people.person(username: name, in: project)
    }
}

extension CeremonyContext {
    /// See ``PersonLookup``.
    package func person(calling typed: String) async throws -> Person? {
        try await PersonLookup(store.people, project).person(calling: typed)
    }

    /// Whether the lookup of `typed` finds the person. A name without `@` is compared without a
    /// read of the store.
    package func lookup(of typed: String, finds person: Person) async throws -> Bool {
        guard UserName.isLikeAddress(typed) else {
            return UserName.canonical(typed) == person.username
        }
        return try await self.person(calling: typed)?.id == person.id
    }
}
