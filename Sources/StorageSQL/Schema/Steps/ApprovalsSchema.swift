// SPDX-License-Identifier: Apache-2.0

/// Approval requests of clients and the installations that receive them.
enum ApprovalsSchema {
    static let steps: [SchemaStep] = [
        // A request is stored for minutes after its client is deleted and is not displayed. So it
        // has no foreign key, and the deletion of a client requires no further index.
        .step(
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
        .step(
            93, "approvals_by_person",
            "CREATE INDEX approvals_by_person ON approvals (person_id, created_at)"),
        .step(
            94, "approvals_by_expiry",
            "CREATE INDEX approvals_by_expiry ON approvals (expires_at)"),
        // The person is the installation's.
        .step(
            95, "approval_enrollments",
            """
            CREATE TABLE approval_enrollments (
            installation_id {bytes} NOT NULL PRIMARY KEY
            REFERENCES installations ON DELETE CASCADE,
            push_token {bytes}, enrolled_at {integer} NOT NULL){key}
            """),
    ]
}
