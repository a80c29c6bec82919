// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

/// Many people are looked up so many at once: one statement for any number, not one for each.
enum PeopleBatch {
    private static let size = 25

    /// What stands in the brackets of `IN`.
    static let parameters = (1...size).map { "$\($0)" }.joined(separator: ", ")

    fileprivate static func all(_ people: [Identifier<Person>]) -> [[SQLValue]] {
        stride(from: 0, to: people.count, by: size).map { start in
            let some = people[start..<min(start + size, people.count)].map(\.sqlValue)
            // The last batch asks for its first one as often as there is room.
            return some + Array(repeating: some[0], count: size - some.count)
        }
    }
}

extension SQLConnection {
    /// Runs a statement that asks for ``PeopleBatch/parameters``.
    func run(_ statement: String, each people: [Identifier<Person>]) throws -> [SQLRow] {
        try PeopleBatch.all(people).flatMap { try run(statement, arguments: $0) }
    }
}
