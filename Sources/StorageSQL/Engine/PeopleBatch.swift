// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

/// A lookup of many people in batches: one statement for any number.
enum PeopleBatch {
    private static let size = 25

    /// The parameters in the parentheses of `IN`.
    static let parameters = (1...size).map { "$\($0)" }.joined(separator: ", ")

    fileprivate static func all(_ people: [Identifier<Person>]) -> [[SQLValue]] {
        stride(from: 0, to: people.count, by: size).map { start in
            let some = people[start..<min(start + size, people.count)].map(\.sqlValue)
            // The last batch is filled with repetitions of its first person.
            return some + Array(repeating: some[0], count: size - some.count)
        }
    }
}

extension SQLConnection {
    /// Runs a statement with ``PeopleBatch/parameters`` for all people, in batches.
    func query(_ statement: String, each people: [Identifier<Person>]) throws -> [SQLRow] {
        try PeopleBatch.all(people).flatMap { try query(statement, arguments: $0) }
    }
}
