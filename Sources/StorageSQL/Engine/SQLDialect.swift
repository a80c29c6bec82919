// SPDX-License-Identifier: Apache-2.0

/// The few places where the engines' languages differ.
package enum SQLDialect: String, Sendable {
    case sqlite, postgreSQL = "postgresql"

    /// Appended to a `SELECT` that must hold its rows until the transaction ends. SQLite has one
    /// writer at a time, so there is nothing to hold.
    package var forUpdate: String { self == .postgreSQL ? " FOR UPDATE" : "" }

    /// As ``forUpdate``, for a change that leaves the key of the row as it is: whoever only refers to
    /// the row does not wait.
    package var forChange: String { self == .postgreSQL ? " FOR NO KEY UPDATE" : "" }

    /// As ``forUpdate``, but several may hold the rows together.
    package var forShare: String { self == .postgreSQL ? " FOR SHARE" : "" }

    /// Where `part` begins in `text`, in characters from 1; 0 when it is not in it.
    package func position(of part: String, in text: String) -> String {
        self == .postgreSQL ? "strpos(\(text), \(part))" : "instr(\(text), \(part))"
    }

    /// Fills the type names of a schema step: `{bytes}`, `{integer}`, `{text}`,
    /// `{row}` (after the column list: rows are looked up by a rowid) and `{key}` (rows are kept in order of their key);
    /// and `{groups}`, the groups of the person `p` as `g.value`.
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
        ("{integer}", "INTEGER", "bigint"),
        // Compared byte by byte in both, whatever the locale of the database.
        ("{text}", "TEXT", "text COLLATE \"C\""),
        ("{row}", " STRICT", ""),
        ("{key}", " STRICT, WITHOUT ROWID", ""),
        // PostgreSQL has no text with a NUL in it, and fails where JSON has one.
        (
            "{groups}", "json_each(p.claims -> 'groups') AS g",
            #"json_array_elements_text(CASE WHEN strpos(p.claims, '\u0000') = 0 "#
                + "THEN p.claims::json -> 'groups' END) AS g(value)"
        ),
    ]
}
