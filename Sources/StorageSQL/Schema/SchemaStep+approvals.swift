// SPDX-License-Identifier: Apache-2.0

extension SchemaStep {
    /// What clients ask people to approve in an app, and on which installations.
    static let approvals: [SchemaStep] = [
        // What a client has asked outlives it by minutes, and is shown to nobody: it needs no
        // reference, and removing a client needs no further index.
        step(
            92, "approvals",
            """
            CREATE TABLE approvals (id {bytes} NOT NULL PRIMARY KEY,
            project_id {bytes} NOT NULL,
            client_id {bytes} NOT NULL, request_hash {bytes} NOT NULL UNIQUE,
            code_hash {bytes} UNIQUE,
            person_id {bytes} REFERENCES people ON DELETE CASCADE, installation_id {bytes},
            scope {text} NOT NULL, message {text} NOT NULL, transaction_text {text} NOT NULL,
            nonce {bytes} NOT NULL, state {text} NOT NULL, grant_id {bytes}, answer {text},
            last_polled_at {integer}, poll_interval {integer} NOT NULL,
            created_at {integer} NOT NULL, expires_at {integer} NOT NULL){row}
            """),
        step(
            93, "approvals_by_person",
            "CREATE INDEX approvals_by_person ON approvals (person_id, created_at)"),
        step(
            94, "approvals_by_expiry",
            "CREATE INDEX approvals_by_expiry ON approvals (expires_at)"),
        // The person is the installation's.
        step(
            95, "approval_enrollments",
            """
            CREATE TABLE approval_enrollments (
            installation_id {bytes} NOT NULL PRIMARY KEY
            REFERENCES installations ON DELETE CASCADE,
            push_token {bytes}, enrolled_at {integer} NOT NULL){key}
            """),
    ]
}
