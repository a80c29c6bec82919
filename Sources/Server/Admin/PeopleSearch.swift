// SPDX-License-Identifier: Apache-2.0
import IdentityProvider
import Primitives
import Storage

/// People by what somebody remembers of them, in one question to the store each time.
struct PeopleSearch: Sendable {
    private let provider: Provider
    private let project: Identifier<Project>

    init(_ provider: Provider, _ project: Identifier<Project>) {
        self.provider = provider
        self.project = project
    }

    /// - Parameter text: in canonical form; empty for everybody. A whole e-mail address that
    ///   nobody's name begins with finds its one owner.
    func page(_ text: String, after last: String?, limit: Int) async throws -> [Person] {
        let found = try await provider.store.people(
            of: project, startingWith: text, after: last, limit: limit)
        guard found.isEmpty, last == nil, let address = EmailAddress.canonical(text) else {
            return found
        }
        let owner = try await provider.store.person(verifiedEmail: address, in: project)
        return owner.map { [$0] } ?? []
    }
}
