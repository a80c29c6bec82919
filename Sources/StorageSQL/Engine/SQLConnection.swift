// SPDX-License-Identifier: Apache-2.0

/// One connection during one operation. Calls block: an engine runs them on a suitable thread.
package protocol SQLConnection: AnyObject {
    /// Runs one statement. Parameters are written `$1`, `$2`, … in both engines.
    func run(_ statement: String, arguments: [SQLValue]) throws -> [SQLRow]

    /// Runs one statement that changes rows and returns none.
    ///
    /// Use it if only the number of rows matters: SQLite creates a table for the result of each
    /// `RETURNING`, which costs as much as inserting a small row.
    ///
    /// - Returns: How many rows were inserted, updated or deleted.
    func change(_ statement: String, arguments: [SQLValue]) throws -> Int
}

extension SQLConnection {
    package func run(_ statement: String, _ arguments: any SQLStorable...) throws -> [SQLRow] {
        try run(statement, arguments: arguments.map(\.sqlValue))
    }

    /// Returns the first row of the result.
    package func first(_ statement: String, _ arguments: any SQLStorable...) throws -> SQLRow? {
        try run(statement, arguments: arguments.map(\.sqlValue)).first
    }
}
