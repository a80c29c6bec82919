// SPDX-License-Identifier: Apache-2.0

/// Columns that the program writes and a concurrent older version does not: they are filled from the
/// text that contained the value before.
///
/// Statements here cut strings; no other statement does. A schema step runs ``all`` over existing
/// rows. ``SQLMaintenance/readOlderWrites()`` runs ``late`` over the rows that the older version has
/// inserted or changed since. Both end with the step of a later release that removes the texts.
struct Backfill: Sendable {
    private let table: String
    private let values: String
    /// True for a row without the values. An index contains exactly those rows.
    let condition: String

    /// The statement for every row.
    var all: String { "UPDATE \(table) SET \(values) WHERE \(condition)" }
    /// Returns a row if there is one to fill; `$1` is before every identifier.
    var search: String { "SELECT 1 FROM \(table) WHERE \(condition) AND id > $1 LIMIT 1" }
    var late: String { "UPDATE \(table) SET \(values) WHERE \(condition) AND id > $1" }

    /// Those whose rows one statement fills.
    static let each: [Backfill] = [linkOnly, grantFlags, auditDevice]

    static let linkOnly = Backfill(
        table: "upstream_providers", values: "link_only = \(isLinkOnly)",
        // The older version changes the settings of a row whose column is filled.
        condition: "COALESCE(link_only, -1) <> \(isLinkOnly)")

    static let grantFlags = Backfill(
        table: "grants",
        values:
            "shows_key = \(hasMethod(["hwk", "swk", "pop"])), is_federated = \(hasMethod(["fed"]))",
        condition: "shows_key IS NULL")

    static let auditDevice = Backfill(
        table: "audit_events", values: "device_id = substr(details, 12, 36)",
        condition: """
            device_id IS NULL AND substr(details, 1, 11) = '{"device":"' \
            AND substr(details, 48, 1) = '"'
            """)

    /// A person's realm and name, from the name that contains both (``Person/qualifiedName``). The
    /// older version also renames people whose columns are filled.
    static let names = Backfill(
        table: "people",
        values: """
            realm = CASE WHEN {separator} = 0 THEN '' ELSE substr(username, {separator} + 1) END, \
            user_name = CASE WHEN {separator} = 0 THEN username \
            ELSE substr(username, 1, {separator} - 1) END
            """,
        condition: """
            COALESCE(user_name || CASE realm WHEN '' THEN '' ELSE '\u{1F}' || realm END, '') \
            <> username
            """)
    /// Two people may have exchanged a name, so names are removed before they are filled.
    static let namesRemoved = """
        UPDATE people SET user_name = NULL
        WHERE \(names.condition) AND id > $1 AND user_name IS NOT NULL
        """

    /// True for a project whose disabled realms an older version has changed, and for one without the
    /// texts.
    static let unlistedProjects = "COALESCE(listed_realms <> silent_realms, TRUE)"

    private static let isLinkOnly =
        #"CASE WHEN settings LIKE '%"linkOnly":true%' THEN 1 ELSE 0 END"#

    /// Whether one of the space-separated methods of a grant is one of these.
    private static func hasMethod(_ methods: [String]) -> String {
        let conditions = methods.map { "' ' || authentication_methods || ' ' LIKE '% \($0) %'" }
        return "CASE WHEN \(conditions.joined(separator: " OR ")) THEN 1 ELSE 0 END"
    }
}
