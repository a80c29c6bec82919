// SPDX-License-Identifier: Apache-2.0
package import Primitives
package import Storage

/// The person that a typed name or the `login_hint` of an application names.
package struct PersonLookup: Sendable {
    private let store: any ProviderStore
    private let project: Identifier<Project>

    package init(_ store: any ProviderStore, _ project: Identifier<Project>) {
        self.store = store
        self.project = project
    }

    /// By user name, or by a verified e-mail address that exactly one person has. Of an address the
    /// owner comes first: a user name of before that looks like it leads nobody away from them.
    package func person(calling typed: String) async throws -> Person? {
        if let address = EmailAddressSyntax.canonical(typed),
            let owner = try await store.person(verifiedEmail: address, in: project)
        {
            return owner
        }
        guard let name = UserName.canonical(typed) else { return nil }
        return try await store.person(username: name, in: project)
    }
}

extension CeremonyContext {
    /// See ``PersonLookup``.
    func person(calling typed: String) async throws -> Person? {
        try await PersonLookup(store, project).person(calling: typed)
    }

    /// Whether the lookup of that name finds the person. A name without `@` is compared without a
    /// read of the store.
    func lookup(of typed: String, finds person: Person) async throws -> Bool {
        guard UserName.isLikeAddress(typed) else {
            return UserName.canonical(typed) == person.username
        }
        return try await self.person(calling: typed)?.id == person.id
    }
}
