// SPDX-License-Identifier: Apache-2.0

/// Realms as rows, and a person's realm and name as columns. An older version knows only
/// `people.username`, which contains both, and `projects.silent_realms`: they are still written,
/// and are read for rows of a concurrent older version (``Backfill``).
enum RealmsSchema {
    static let steps: [SchemaStep] = [
        .step(
            146, "realms",
            """
            CREATE TABLE realms (project_id {bytes} NOT NULL REFERENCES projects ON DELETE CASCADE,
            name {text} NOT NULL, kind {text} NOT NULL, silent {integer} NOT NULL,
            PRIMARY KEY (project_id, name)){key}
            """),
        .step(147, "people_realm", "ALTER TABLE people ADD COLUMN realm {text}"),
        .step(148, "people_user_name", "ALTER TABLE people ADD COLUMN user_name {text}"),
        .step(149, "people_names_of_before", Backfill.names.all),
        .step(
            150, "realms_of_before",
            """
            INSERT INTO realms (project_id, name, kind, silent)
            SELECT id, '', 'own', 0 FROM projects UNION ALL SELECT DISTINCT project_id, realm,
            CASE WHEN substr(realm, 1, 4) = 'idp:' THEN 'upstream' ELSE 'issuer' END, 0
            FROM people WHERE realm <> ''
            """),
        // The value of `silent_realms` that the rows of `realms` represent: `NULL` for existing
        // projects until the migration has listed theirs.
        .step(
            151, "projects_listed_realms", "ALTER TABLE projects ADD COLUMN listed_realms {text}"),
        .step(
            152, "people_by_realm",
            "CREATE UNIQUE INDEX people_by_realm ON people (project_id, realm, user_name)"),
        .step(
            153, "people_unsplit",
            "CREATE INDEX people_unsplit ON people (id) WHERE \(Backfill.names.condition)"),
        .step(
            154, "projects_unlisted",
            "CREATE INDEX projects_unlisted ON projects (id) WHERE \(Backfill.unlistedProjects)"),
    ]
}
