// SPDX-License-Identifier: Apache-2.0

/// One connection during one operation. Calls block: an engine runs them on a suitable thread.
///
/// The call says whether a statement reads or changes rows (``AuditingEngine``). Parameters are
/// written `$1`, `$2`, … in both engines.
package protocol SQLConnection: AnyObject {
    /// Runs one statement that reads rows. It may lock them.
    func query(_ statement: String, arguments: [SQLValue]) throws -> [SQLRow]

    /// Runs one statement that inserts, updates or deletes rows.
    func apply(_ statement: String, arguments: [SQLValue]) throws -> SQLChange

    /// Runs one statement of the schema or of the session, without parameters and result.
    func define(_ statement: String) throws
}

/// The effect of a statement that changes rows.
package struct SQLChange {
    /// The rows of its `RETURNING`; empty without one.
    package let rows: [SQLRow]
    /// How many rows were inserted, updated or deleted.
    package let count: Int

    package init(rows: [SQLRow], count: Int) {
        self.rows = rows
        self.count = count
    }
}

extension SQLConnection {
    package func query(_ statement: String, _ arguments: any SQLStorable...) throws -> [SQLRow] {
        try query(statement, arguments: arguments.map(\.sqlValue))
    }

    /// Returns the first row of a query.
    package func first(_ statement: String, _ arguments: any SQLStorable...) throws -> SQLRow? {
        try query(statement, arguments: arguments.map(\.sqlValue)).first
    }

    /// Runs one statement that changes rows and returns how many.
    ///
    /// Use it if only the number of rows matters: SQLite creates a table for the result of each
    /// `RETURNING`, which costs as much as inserting a small row.
    package func change(_ statement: String, arguments: [SQLValue]) throws -> Int {
        try apply(statement, arguments: arguments).count
    }

    package func change(_ statement: String, _ arguments: any SQLStorable...) throws -> Int {
        try apply(statement, arguments: arguments.map(\.sqlValue)).count
    }

    /// Runs one statement that changes rows, and returns the rows of its `RETURNING`.
    package func change(returning statement: String, arguments: [SQLValue]) throws -> [SQLRow] {
        try apply(statement, arguments: arguments).rows
    }

    package func change(
        returning statement: String, _ arguments: any SQLStorable...
    ) throws -> [SQLRow] {
        try apply(statement, arguments: arguments.map(\.sqlValue)).rows
    }
}
