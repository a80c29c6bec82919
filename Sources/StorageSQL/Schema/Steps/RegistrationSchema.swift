// SPDX-License-Identifier: Apache-2.0

/// The data of app installations besides their keys.
enum RegistrationSchema {
    static let steps: [SchemaStep] = [
        // A PIN is stored longer than its installation, because the device must be informed of its
        // termination.
        .step(
            86, "pins",
            """
            CREATE TABLE pins (
            project_id {bytes} NOT NULL REFERENCES projects ON DELETE CASCADE,
            key_id {bytes} NOT NULL,
            installation_id {bytes} REFERENCES installations ON DELETE SET NULL,
            person_id {bytes} NOT NULL, public_jwk {text} NOT NULL, content {text} NOT NULL,
            ending {text}, revision {integer} NOT NULL, created_at {integer} NOT NULL,
            delete_after {integer}, PRIMARY KEY (project_id, key_id)){row}
            """),
        .step(
            87, "pins_by_installation",
            """
            CREATE INDEX pins_by_installation ON pins (installation_id)
            WHERE installation_id IS NOT NULL
            """),
        .step(
            88, "pins_of_nobody",
            """
            CREATE INDEX pins_of_nobody ON pins (project_id, key_id)
            WHERE installation_id IS NULL AND ending IS NULL
            """),
        .step(
            89, "pins_by_end",
            "CREATE INDEX pins_by_end ON pins (delete_after) WHERE delete_after IS NOT NULL"),
    ]
}
