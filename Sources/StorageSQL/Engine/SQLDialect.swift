// SPDX-License-Identifier: Apache-2.0

/// The differences between the SQL dialects of the engines.
package enum SQLDialect: String, Sendable {
    case sqlite, postgreSQL = "postgresql"

    /// The suffix of a `SELECT` that locks its rows until the transaction ends. SQLite has one
    /// writer at a time, so no lock is required.
    package var forUpdate: String { self == .postgreSQL ? " FOR UPDATE" : "" }

    /// As ``forUpdate``, for a change that does not affect the key of the row: transactions that
    /// only reference the row do not wait.
    package var forChange: String { self == .postgreSQL ? " FOR NO KEY UPDATE" : "" }

    /// As ``forUpdate``, with a lock that several transactions can share.
    package var forShare: String { self == .postgreSQL ? " FOR SHARE" : "" }

    /// As ``forShare``, of the rows of these tables only.
    package func forShare(of tables: String...) -> String {
        self == .postgreSQL ? " FOR SHARE OF \(tables.joined(separator: ", "))" : ""
    }

    /// Replaces the placeholders of a schema step.
    ///
    /// They are the types `{bytes}`, `{integer}` and `{text}`; `{row}` (after the column list: a
    /// table with a rowid) and `{key}` (a table that is clustered by its key); `{groups}`, the
    /// groups of the person `p` as `g.value`; and `{separator}`, the position of the realm's separator
    /// in a username, in characters from 1, or 0.
    package func spell(_ step: String) -> String {
        var text = step
        for (word, sqlite, postgreSQL) in Self.words {
            text = text.split(separator: word, omittingEmptySubsequences: false)
                .joined(separator: self == .sqlite ? sqlite : postgreSQL)
        }
        return text
    }

    private static let words = [
        ("{bytes}", "BLOB", "bytea"),
        ("{separator}", "instr(username, '\u{1F}')", "strpos(username, '\u{1F}')"),
        ("{integer}", "INTEGER", "bigint"),
        // Both engines compare byte by byte, independent of the database's locale.
        ("{text}", "TEXT", "text COLLATE \"C\""),
        ("{row}", " STRICT", ""),
        ("{key}", " STRICT, WITHOUT ROWID", ""),
        // PostgreSQL text cannot contain a NUL, and its JSON functions fail on one.
        (
            "{groups}", "json_each(p.claims -> 'groups') AS g",
            #"json_array_elements_text(CASE WHEN strpos(p.claims, '\u0000') = 0 "#
                + "THEN p.claims::json -> 'groups' END) AS g(value)"
        ),
    ]
}
