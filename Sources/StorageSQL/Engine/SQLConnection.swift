// SPDX-License-Identifier: Apache-2.0

/// One connection while one verb has it. Calls block: an engine runs them where that is allowed.
package protocol SQLConnection: AnyObject {
    /// Runs one statement. Parameters are written `$1`, `$2`, … in both engines.
    func run(_ statement: String, arguments: [SQLValue]) throws -> [SQLRow]
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
