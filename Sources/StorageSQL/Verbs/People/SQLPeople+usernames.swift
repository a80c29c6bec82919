// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

private let namesByID = """
    SELECT \(Person.columns.list) FROM people WHERE id IN (\(PeopleBatch.parameters))
    """

extension SQLPeople {
    func usernames(
        of people: Set<Identifier<Person>>
    ) async throws -> [Identifier<Person>: String] {
        guard !people.isEmpty else { return [:] }
        let wanted = Array(people)
        let found = try await engine.read { try $0.query(namesByID, each: wanted) }
            .records(Person.init)
        return Dictionary(found.map { ($0.id, $0.username) }) { first, _ in first }
    }
}
