// SPDX-License-Identifier: Apache-2.0
import Storage

/// The insertion of a grant that is redeemed already.
///
/// All rows that it depends on are locked. A concurrent transaction that disables or deletes one of
/// them, or disables the realm (``DisabledRealms``), waits and then revokes the grant; or the grant
/// is not inserted.
struct ProvenGrantInsert {
    let ofPerson: String
    let ofInstallation: String

    static func of(_ dialect: SQLDialect) -> ProvenGrantInsert {
        dialect == .postgreSQL ? postgreSQL : sqlite
    }

    private static let sqlite = ProvenGrantInsert(.sqlite)
    private static let postgreSQL = ProvenGrantInsert(.postgreSQL)

    private init(_ dialect: SQLDialect) {
        ofPerson = Self.insert(locking: dialect.forShare(of: "p", "r", "c"))
        ofInstallation = Self.insert(
            " CROSS JOIN installations i",
            " AND i.id = \(Grant.columns["installation_id"]) AND i.person_id = p.id",
            locking: dialect.forShare(of: "p", "r", "c", "i"))
    }

    private static func insert(
        _ more: String = "", _ belongs: String = "", locking: String
    ) -> String {
        """
        INSERT INTO grants (\(Grant.allColumns.list), redeemed_at, delete_after)
        SELECT \(Grant.allColumns.parameters), \(Grant.columns["created_at"]),
        \(Grant.columns["expires_at"])
        FROM people p \(realmJoin) CROSS JOIN clients c\(more)
        WHERE p.id = \(Grant.columns["person_id"]) AND c.id = \(Grant.columns["client_id"])
        AND p.disabled = 0 AND c.disabled = 0\(belongs)
        AND \(realmMatch) AND ((r.silent = 0 AND r.kind <> 'upstream')
        OR EXISTS (\(standingLink("p.id"))))\(locking)
        """
    }
}
