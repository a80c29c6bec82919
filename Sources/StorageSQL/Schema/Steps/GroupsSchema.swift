// SPDX-License-Identifier: Apache-2.0

/// People by the groups in their claims.
enum GroupsSchema {
    static let steps: [SchemaStep] = [
        // The sorted part of names is short enough for an index of either engine.
        .step(
            104, "group_members",
            """
            CREATE TABLE group_members (project_id {bytes} NOT NULL, group_name {text} NOT NULL,
            sort_name {text} NOT NULL,
            person_id {bytes} NOT NULL REFERENCES people ON DELETE CASCADE,
            PRIMARY KEY (project_id, group_name, sort_name, person_id),
            UNIQUE (person_id, group_name)){key}
            """),
        // Inserts existing people. A concurrent older version does not maintain the list: a person
        // that it changes is listed correctly after the next change.
        .step(
            105, "group_members_of_before",
            """
            INSERT INTO group_members (project_id, group_name, sort_name, person_id)
            SELECT DISTINCT p.project_id, g.value, substr(p.username, 1, 64), p.id
            FROM people p, {groups} WHERE length(g.value) BETWEEN 1 AND 255
            """),
    ]
}
