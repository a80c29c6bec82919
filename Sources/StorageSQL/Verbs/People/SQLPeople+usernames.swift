// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

private let namesByID = """
    SELECT id, username, realm, user_name FROM people WHERE id IN (\(PeopleBatch.parameters))
    """

extension SQLPeople {
    func usernames(
        of people: Set<Identifier<Person>>
    ) async throws -> [Identifier<Person>: String] {
        guard !people.isEmpty else { return [:] }
        let wanted = Array(people)
        let found = try await engine.read { try $0.query(namesByID, each: wanted) }
            .records { row in
                let id: Identifier<Person> = try row.identifier()
                var name = StoredName()
                try name.columns(&row)
                return (id, name.parts.username)
            }
        return Dictionary(found) { first, _ in first }
    }
}
