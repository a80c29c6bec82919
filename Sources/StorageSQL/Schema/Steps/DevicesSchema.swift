// SPDX-License-Identifier: Apache-2.0

/// Devices, their keys and users, and their registration tokens.
enum DevicesSchema {
    static let steps: [SchemaStep] = [
        .step(49, "grants_device", "ALTER TABLE grants ADD COLUMN device_id {bytes}"),
        .step(
            50, "grants_by_device",
            """
            CREATE INDEX grants_by_device ON grants (device_id, person_id)
            WHERE device_id IS NOT NULL
            """),
        .step(
            51, "devices",
            """
            CREATE TABLE devices (id {bytes} NOT NULL PRIMARY KEY,
            project_id {bytes} NOT NULL REFERENCES projects ON DELETE CASCADE,
            sharing {text} NOT NULL, serial {text} NOT NULL, udid {text} NOT NULL,
            model {text} NOT NULL, host_name {text} NOT NULL, system_version {text} NOT NULL,
            identity {text}, registered_by {bytes}, attestation {text} NOT NULL,
            registered_at {integer} NOT NULL, last_seen_at {integer} NOT NULL,
            revoked_at {integer}){row}
            """),
        .step(
            52, "devices_by_project", "CREATE INDEX devices_by_project ON devices (project_id, id)"),
        .step(
            53, "devices_by_identity",
            """
            CREATE UNIQUE INDEX devices_by_identity ON devices (project_id, identity)
            WHERE identity IS NOT NULL AND revoked_at IS NULL
            """),
        .step(
            54, "device_keys",
            """
            CREATE TABLE device_keys (project_id {bytes} NOT NULL, kid {bytes} NOT NULL,
            device_id {bytes} NOT NULL REFERENCES devices ON DELETE CASCADE,
            person_id {bytes} REFERENCES people ON DELETE CASCADE,
            key_use {text} NOT NULL, public_jwk {text} NOT NULL, created_at {integer} NOT NULL,
            ends_at {integer}, PRIMARY KEY (project_id, kid)){key}
            """),
        .step(
            55, "device_keys_by_device",
            "CREATE INDEX device_keys_by_device ON device_keys (device_id, created_at)"),
        .step(
            56, "device_keys_by_person",
            """
            CREATE INDEX device_keys_by_person ON device_keys (person_id)
            WHERE person_id IS NOT NULL
            """),
        .step(
            57, "device_users",
            """
            CREATE TABLE device_users (project_id {bytes} NOT NULL,
            device_id {bytes} NOT NULL REFERENCES devices ON DELETE CASCADE,
            person_id {bytes} NOT NULL REFERENCES people ON DELETE CASCADE,
            method {text} NOT NULL, login_name {text} NOT NULL,
            registered_at {integer} NOT NULL, last_sign_in_at {integer},
            PRIMARY KEY (device_id, person_id)){key}
            """),
        .step(
            58, "device_users_by_person",
            "CREATE INDEX device_users_by_person ON device_users (person_id)"),
        .step(
            59, "device_tokens",
            """
            CREATE TABLE device_tokens (id {bytes} NOT NULL PRIMARY KEY,
            project_id {bytes} NOT NULL REFERENCES projects ON DELETE CASCADE,
            hash {bytes} NOT NULL, label {text} NOT NULL, serial {text},
            maximum_uses {integer} NOT NULL, uses {integer} NOT NULL,
            created_at {integer} NOT NULL, expires_at {integer} NOT NULL,
            revoked_at {integer}, UNIQUE (project_id, hash)){row}
            """),
        .step(
            60, "device_tokens_by_project",
            "CREATE INDEX device_tokens_by_project ON device_tokens (project_id, id)"),
        .step(
            61, "device_tokens_by_expiry",
            "CREATE INDEX device_tokens_by_expiry ON device_tokens (expires_at)"),
        .step(
            62, "unlock_keys",
            """
            CREATE TABLE unlock_keys (id {bytes} NOT NULL PRIMARY KEY, project_id {bytes} NOT NULL,
            device_id {bytes} NOT NULL REFERENCES devices ON DELETE CASCADE,
            person_id {bytes} NOT NULL REFERENCES people ON DELETE CASCADE,
            purpose {text} NOT NULL, sealed_private_key {bytes} NOT NULL,
            certificate {bytes} NOT NULL, created_at {integer} NOT NULL,
            expires_at {integer} NOT NULL, delete_after {integer} NOT NULL){row}
            """),
        .step(
            63, "unlock_keys_by_user",
            "CREATE INDEX unlock_keys_by_user ON unlock_keys (device_id, person_id, expires_at)"),
        .step(
            64, "unlock_keys_by_person",
            "CREATE INDEX unlock_keys_by_person ON unlock_keys (person_id)"),
        .step(
            65, "unlock_keys_by_end",
            "CREATE INDEX unlock_keys_by_end ON unlock_keys (delete_after)"),
        .step(
            66, "encryption_keys",
            """
            CREATE TABLE encryption_keys (id {bytes} NOT NULL PRIMARY KEY,
            project_id {bytes} NOT NULL REFERENCES projects ON DELETE CASCADE,
            state {text} NOT NULL, public_jwk {text} NOT NULL,
            sealed_private_key {bytes} NOT NULL, created_at {integer} NOT NULL){row}
            """),
        .step(
            67, "encryption_keys_by_project",
            "CREATE INDEX encryption_keys_by_project ON encryption_keys (project_id, id)"),
        .step(
            68, "encryption_keys_in_use",
            """
            CREATE UNIQUE INDEX encryption_keys_in_use ON encryption_keys (project_id)
            WHERE state = 'active'
            """),
    ]
}
