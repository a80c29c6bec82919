// SPDX-License-Identifier: Apache-2.0

/// Sets that follow one another, and expendable amounts.
enum EntitlementsSchema {
    static let steps: [SchemaStep] = [
        .step(
            72, "entitlement_sequences",
            """
            CREATE TABLE entitlement_sequences (
            project_id {bytes} NOT NULL REFERENCES projects ON DELETE CASCADE,
            name {text} NOT NULL, created_at {integer} NOT NULL,
            PRIMARY KEY (project_id, name)){key}
            """),
        .step(
            73, "entitlement_steps",
            """
            CREATE TABLE entitlement_steps (project_id {bytes} NOT NULL, sequence {text} NOT NULL,
            position {integer} NOT NULL, set_name {text} NOT NULL, duration {integer},
            PRIMARY KEY (project_id, sequence, position),
            FOREIGN KEY (project_id, sequence) REFERENCES entitlement_sequences (project_id, name)
            ON DELETE CASCADE,
            FOREIGN KEY (project_id, set_name) REFERENCES entitlement_sets (project_id, name)
            ON DELETE CASCADE){key}
            """),
        .step(
            74, "entitlement_steps_by_set",
            "CREATE INDEX entitlement_steps_by_set ON entitlement_steps (project_id, set_name)"),
        .step(
            75, "person_sequences",
            """
            CREATE TABLE person_sequences (project_id {bytes} NOT NULL, sequence {text} NOT NULL,
            person_id {bytes} NOT NULL UNIQUE REFERENCES people ON DELETE CASCADE,
            started_at {integer} NOT NULL, PRIMARY KEY (project_id, sequence, person_id),
            FOREIGN KEY (project_id, sequence)
            REFERENCES entitlement_sequences (project_id, name) ON DELETE CASCADE){key}
            """),
        .step(
            76, "expendable_entitlements",
            """
            CREATE TABLE expendable_entitlements (
            person_id {bytes} NOT NULL REFERENCES people ON DELETE CASCADE,
            name {text} NOT NULL, amount {integer} NOT NULL, PRIMARY KEY (person_id, name)){key}
            """),
        .step(
            77, "expendable_changes",
            """
            CREATE TABLE expendable_changes (
            person_id {bytes} NOT NULL REFERENCES people ON DELETE CASCADE,
            request_id {bytes} NOT NULL, amounts {text} NOT NULL, outcome {text} NOT NULL,
            expires_at {integer} NOT NULL, PRIMARY KEY (person_id, request_id)){key}
            """),
        .step(
            78, "expendable_changes_by_expiry",
            "CREATE INDEX expendable_changes_by_expiry ON expendable_changes (expires_at)"),
    ]
}
