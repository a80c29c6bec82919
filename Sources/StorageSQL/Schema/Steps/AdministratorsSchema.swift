// SPDX-License-Identifier: Apache-2.0

/// The roles of administrators.
enum AdministratorsSchema {
    static let steps: [SchemaStep] = [
        .step(
            79, "administrators",
            """
            CREATE TABLE administrators (id {bytes} NOT NULL PRIMARY KEY,
            person_id {bytes} NOT NULL REFERENCES people ON DELETE CASCADE,
            project_id {bytes} REFERENCES projects ON DELETE CASCADE,
            role {text} NOT NULL, created_at {integer} NOT NULL){row}
            """),
        .step(
            80, "administrators_by_person",
            "CREATE INDEX administrators_by_person ON administrators (person_id, id)"),
        .step(
            81, "administrators_of_a_project",
            """
            CREATE UNIQUE INDEX administrators_of_a_project
            ON administrators (project_id, person_id) WHERE project_id IS NOT NULL
            """),
        .step(
            82, "administrators_of_all",
            """
            CREATE UNIQUE INDEX administrators_of_all ON administrators (person_id)
            WHERE project_id IS NULL
            """),
        .step(
            83, "administrators_by_role",
            "CREATE INDEX administrators_by_role ON administrators (role, id)"),
    ]
}
