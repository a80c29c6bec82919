// SPDX-License-Identifier: Apache-2.0

/// One connection while one verb has it. Calls block: an engine runs them where that is allowed.
package protocol SQLConnection: AnyObject {
    /// Runs one statement. Parameters are written `$1`, `$2`, … in both engines.
    func run(_ statement: String, arguments: [SQLValue]) throws -> [SQLRow]

    /// Runs one statement that changes rows and answers none. Where nothing but the number matters it
    /// is to be preferred: SQLite makes a table for the answer of each `RETURNING`, which costs
    /// as much as inserting a small row does.
    ///
    /// - Returns: How many rows were inserted, updated or deleted.
    func change(_ statement: String, arguments: [SQLValue]) throws -> Int
}

extension SQLConnection {
    package func run(_ statement: String, _ arguments: any SQLStorable...) throws -> [SQLRow] {
        try run(statement, arguments: arguments.map(\.sqlValue))
    }

    /// The first row of the answer.
    package func first(_ statement: String, _ arguments: any SQLStorable...) throws -> SQLRow? {
        try run(statement, arguments: arguments.map(\.sqlValue)).first
    }
}
