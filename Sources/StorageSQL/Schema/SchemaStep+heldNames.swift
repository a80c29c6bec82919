// SPDX-License-Identifier: Apache-2.0

extension SchemaStep {
    /// Names of people who were removed, which are not assigned to other people for a period. A row
    /// outlives its person, so it refers to none.
    static let heldNames: [SchemaStep] = [
        step(
            132, "held_names",
            """
            CREATE TABLE held_names (project_id {bytes} NOT NULL, name {text} NOT NULL,
            held_until {integer} NOT NULL, PRIMARY KEY (project_id, name)){key}
            """),
        step(
            133, "held_names_by_end",
            "CREATE INDEX held_names_by_end ON held_names (held_until)"),
    ]
}
