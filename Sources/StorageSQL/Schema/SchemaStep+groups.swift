// SPDX-License-Identifier: Apache-2.0

extension SchemaStep {
    /// People by the groups that their claims name.
    static let groups: [SchemaStep] = [
        // What names are sorted by is short enough for an index of either engine.
        step(
            104, "group_members",
            """
            CREATE TABLE group_members (project_id {bytes} NOT NULL, group_name {text} NOT NULL,
            sort_name {text} NOT NULL,
            person_id {bytes} NOT NULL REFERENCES people ON DELETE CASCADE,
            PRIMARY KEY (project_id, group_name, sort_name, person_id),
            UNIQUE (person_id, group_name)){key}
            """),
        // Those who are here already. An older version that still runs beside this one keeps no
        // list: whoever it changes is listed rightly with their next change.
        step(
            105, "group_members_of_before",
            """
            INSERT INTO group_members (project_id, group_name, sort_name, person_id)
            SELECT DISTINCT p.project_id, g.value, substr(p.username, 1, 64), p.id
            FROM people p, {groups} WHERE length(g.value) BETWEEN 1 AND 255
            """),
    ]
}
