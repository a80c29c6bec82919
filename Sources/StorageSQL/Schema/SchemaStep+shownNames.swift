// SPDX-License-Identifier: Apache-2.0

extension SchemaStep {
    /// The username that applications receive, unique in a project (``Person/shownName``).
    static let shownNames: [SchemaStep] = [
        step(117, "people_shown_name", "ALTER TABLE people ADD COLUMN shown_name {text}"),
        // Names of the project's own realm were unique before. People of other realms get theirs
        // after the steps.
        step(
            118, "people_shown_name_of_before",
            "UPDATE people SET shown_name = username WHERE username NOT LIKE '%\u{1F}%'"),
        step(
            119, "people_by_shown_name",
            "CREATE UNIQUE INDEX people_by_shown_name ON people (project_id, shown_name)"),
        step(
            120, "people_without_shown_name",
            """
            CREATE INDEX people_without_shown_name ON people (created_at, id)
            WHERE shown_name IS NULL
            """),
    ]
}
