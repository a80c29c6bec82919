// SPDX-License-Identifier: Apache-2.0
package import Primitives
package import Storage

/// How many are looked up at once: one statement for any number of people, not one for each.
private let batch = 25
private let namesByID = """
    SELECT \(Person.columns.list) FROM people
    WHERE id IN (\((1...batch).map { "$\($0)" }.joined(separator: ", ")))
    """

extension SQLStore {
    package func usernames(
        of people: Set<Identifier<Person>>
    ) async throws -> [Identifier<Person>: String] {
        guard !people.isEmpty else { return [:] }
        let wanted = people.map(\.sqlValue)
        let found = try await engine.read { connection in
            try stride(from: 0, to: wanted.count, by: batch).flatMap { start in
                var some = Array(wanted[start..<min(start + batch, wanted.count)])
                // The last batch asks for its last one as often as there is room.
                if let last = some.last {
                    some += Array(repeating: last, count: batch - some.count)
                }
                return try connection.run(namesByID, arguments: some)
            }
        }.records(Person.init)
        return Dictionary(found.map { ($0.id, $0.username) }) { first, _ in first }
    }
}
