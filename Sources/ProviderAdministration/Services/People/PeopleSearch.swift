// SPDX-License-Identifier: Apache-2.0
import Primitives
import ProviderSettings
import Storage

/// Searches people by the start of a username, then by the start of another name or an email
/// address. Each part reads an index, so that its cost does not depend on the number of people.
struct PeopleSearch: Sendable {
    private let people: any PersonStore
    private let project: Identifier<Project>

    init(_ scope: AdministrativeScope) {
        people = scope.store.people
        project = scope.project.id
    }

    /// A person of the list, and the cursor after them.
    typealias Found = (element: Person, key: String)

    /// - Parameter text: The search text in canonical form. An empty text finds all people.
    func page(_ text: String, after last: String?, limit: Int) async throws -> [Found] {
        let place = last.flatMap(Self.place)
        var found: [Found] = []
        if place == nil {
            found = try await people.people(
                of: project, startingWith: text, after: last, limit: limit
            ).map { ($0, $0.qualifiedName) }
        }
        let term = SearchTerms.folded(text)
        guard found.count < limit, !term.isEmpty else { return found }
        return found
            + (try await people.people(
                of: project, foundBy: term, butNotNamed: text, after: place,
                limit: limit - found.count
            ).map { ($0.person, Self.key($0)) })
    }

    /// Searches by username only, because the caller changes every person that it finds. If no
    /// username begins with the text, a verified email address finds its owner.
    func named(_ text: String, after last: String?, limit: Int) async throws -> [Person] {
        let found = try await people.people(
            of: project, startingWith: text, after: last, limit: limit)
        guard found.isEmpty, last == nil, let address = EmailAddressSyntax.canonical(text) else {
            return found
        }
        let owner = try await people.person(verifiedEmail: address, in: project)
        return owner.map { [$0] } ?? []
    }

    // MARK: Cursors of the second part

    /// No username contains it, so no cursor of the first part begins with it.
    private static let mark: Character = "\u{1}"

    private static func key(_ found: FoundPerson) -> String {
        "\(mark)\(found.term)\(mark)\(found.person.id)"
    }

    private static func place(_ key: String) -> FoundPerson.Position? {
        guard key.first == mark else { return nil }
        let parts = key.dropFirst().split(separator: mark, omittingEmptySubsequences: false)
        guard parts.count == 2, let person = Identifier<Person>(String(parts[1])) else {
            return nil
        }
        return FoundPerson.Position(term: String(parts[0]), person: person)
    }
}
