// SPDX-License-Identifier: Apache-2.0

/// The tables of the first release: projects, people, clients, grants, sessions, the audit log.
enum ProviderSchema {
    static let steps: [SchemaStep] = [
        .step(
            1, "projects",
            """
            CREATE TABLE projects (id {bytes} NOT NULL PRIMARY KEY, name {text} NOT NULL UNIQUE,
            environment {text} NOT NULL, theme {text} NOT NULL, policy {text} NOT NULL,
            created_at {integer} NOT NULL){row}
            """),
        .step(
            2, "people",
            """
            CREATE TABLE people (id {bytes} NOT NULL PRIMARY KEY,
            project_id {bytes} NOT NULL REFERENCES projects ON DELETE CASCADE,
            username {text} NOT NULL, verified_email {text}, claims {text} NOT NULL,
            disabled {integer} NOT NULL, created_at {integer} NOT NULL,
            UNIQUE (project_id, username)){row}
            """),
        .step(
            3, "people_by_verified_email",
            """
            CREATE INDEX people_by_verified_email ON people (project_id, verified_email)
            WHERE verified_email IS NOT NULL
            """),
        .step(
            4, "credentials",
            """
            CREATE TABLE credentials (id {bytes} NOT NULL PRIMARY KEY, project_id {bytes} NOT NULL,
            person_id {bytes} NOT NULL REFERENCES people ON DELETE CASCADE, kind {text} NOT NULL,
            external_id {bytes} NOT NULL, public_part {bytes} NOT NULL, details {text} NOT NULL,
            label {text} NOT NULL, sign_count {integer} NOT NULL, created_at {integer} NOT NULL,
            last_used_at {integer}, UNIQUE (project_id, kind, external_id)){row}
            """),
        .step(
            5, "credentials_by_person",
            "CREATE INDEX credentials_by_person ON credentials (person_id, created_at)"),
        .step(
            6, "clients",
            """
            CREATE TABLE clients (id {bytes} NOT NULL PRIMARY KEY,
            project_id {bytes} NOT NULL REFERENCES projects ON DELETE CASCADE,
            client_id {text} NOT NULL, metadata {text} NOT NULL, secret_hash {bytes},
            disabled {integer} NOT NULL, created_at {integer} NOT NULL,
            UNIQUE (project_id, client_id)){row}
            """),
        .step(
            7, "sessions",
            """
            CREATE TABLE sessions (id {bytes} NOT NULL PRIMARY KEY, project_id {bytes} NOT NULL,
            person_id {bytes} NOT NULL REFERENCES people ON DELETE CASCADE,
            secret_hash {bytes} NOT NULL UNIQUE, authentication_methods {text} NOT NULL,
            authenticated_at {integer} NOT NULL, last_seen_at {integer} NOT NULL,
            expires_at {integer} NOT NULL, device {text} NOT NULL, address {text} NOT NULL){key}
            """),
        .step(
            8, "sessions_by_person",
            "CREATE INDEX sessions_by_person ON sessions (person_id)"),
        .step(
            9, "sessions_by_expiry",
            "CREATE INDEX sessions_by_expiry ON sessions (expires_at)"),
        // A grant and its code are one row: the redemption of the code is one statement.
        // `delete_after` is the code's expiry until the redemption, then the grant's.
        .step(
            10, "grants",
            """
            CREATE TABLE grants (id {bytes} NOT NULL PRIMARY KEY, project_id {bytes} NOT NULL,
            client_id {bytes} NOT NULL REFERENCES clients ON DELETE CASCADE,
            person_id {bytes} NOT NULL REFERENCES people ON DELETE CASCADE,
            session_id {bytes}, scope {text} NOT NULL, nonce {text},
            authentication_methods {text} NOT NULL, authenticated_at {integer} NOT NULL,
            generation {integer} NOT NULL, rotated_at {integer} NOT NULL,
            created_at {integer} NOT NULL, expires_at {integer} NOT NULL, revoked_at {integer},
            code_hash {bytes} UNIQUE, redirect_uri {text}, redirect_uri_was_sent {integer},
            code_challenge {text}, code_expires_at {integer}, redeemed_at {integer},
            delete_after {integer} NOT NULL){key}
            """),
        .step(
            11, "grants_by_person",
            "CREATE INDEX grants_by_person ON grants (person_id, created_at)"),
        .step(
            12, "grants_by_session",
            "CREATE INDEX grants_by_session ON grants (session_id) WHERE session_id IS NOT NULL"),
        .step(13, "grants_by_client", "CREATE INDEX grants_by_client ON grants (client_id)"),
        .step(14, "grants_by_delete_after", "CREATE INDEX grants_by_end ON grants (delete_after)"),
        .step(
            15, "device_authorizations",
            """
            CREATE TABLE device_authorizations (device_code_hash {bytes} NOT NULL PRIMARY KEY,
            user_code_hash {bytes} NOT NULL UNIQUE, project_id {bytes} NOT NULL,
            client_id {bytes} NOT NULL REFERENCES clients ON DELETE CASCADE,
            scope {text} NOT NULL, state {text} NOT NULL, grant_id {bytes},
            last_polled_at {integer}, poll_interval {integer} NOT NULL,
            expires_at {integer} NOT NULL){row}
            """),
        .step(
            16, "device_authorizations_by_client",
            """
            CREATE INDEX device_authorizations_by_client ON device_authorizations (client_id)
            """),
        .step(
            17, "device_authorizations_by_expiry",
            """
            CREATE INDEX device_authorizations_by_expiry ON device_authorizations (expires_at)
            """),
        .step(
            18, "challenges",
            """
            CREATE TABLE challenges (project_id {bytes} NOT NULL, purpose {text} NOT NULL,
            hash {bytes} NOT NULL, payload {text} NOT NULL, expires_at {integer} NOT NULL,
            PRIMARY KEY (project_id, purpose, hash)){row}
            """),
        .step(
            19, "challenges_by_expiry",
            "CREATE INDEX challenges_by_expiry ON challenges (expires_at)"),
        .step(
            20, "used_marks",
            """
            CREATE TABLE used_marks (kind {text} NOT NULL, mark {bytes} NOT NULL,
            expires_at {integer} NOT NULL, PRIMARY KEY (kind, mark)){key}
            """),
        .step(
            21, "used_marks_by_expiry",
            "CREATE INDEX used_marks_by_expiry ON used_marks (expires_at)"),
        .step(
            22, "attempts",
            """
            CREATE TABLE attempts (bucket {bytes} NOT NULL PRIMARY KEY,
            attempts {integer} NOT NULL, resets_at {integer} NOT NULL){key}
            """),
        .step(23, "attempts_by_reset", "CREATE INDEX attempts_by_reset ON attempts (resets_at)"),
        .step(
            24, "consents",
            """
            CREATE TABLE consents (project_id {bytes} NOT NULL,
            person_id {bytes} NOT NULL REFERENCES people ON DELETE CASCADE,
            client_id {bytes} NOT NULL REFERENCES clients ON DELETE CASCADE,
            scope {text} NOT NULL, given_at {integer} NOT NULL,
            PRIMARY KEY (person_id, client_id)){key}
            """),
        .step(25, "consents_by_client", "CREATE INDEX consents_by_client ON consents (client_id)"),
        .step(
            26, "signing_keys",
            """
            CREATE TABLE signing_keys (id {bytes} NOT NULL PRIMARY KEY,
            project_id {bytes} NOT NULL REFERENCES projects ON DELETE CASCADE,
            kid {text} NOT NULL, algorithm {text} NOT NULL, state {text} NOT NULL,
            public_jwk {text} NOT NULL, sealed_private_key {bytes} NOT NULL,
            created_at {integer} NOT NULL, changed_at {integer} NOT NULL,
            UNIQUE (project_id, kid)){row}
            """),
        .step(
            27, "signing_keys_in_use",
            """
            CREATE UNIQUE INDEX signing_keys_in_use ON signing_keys (project_id, algorithm, state)
            WHERE state IN ('next', 'active')
            """),
        .step(
            28, "audit_events",
            """
            CREATE TABLE audit_events (id {bytes} NOT NULL PRIMARY KEY, project_id {bytes} NOT NULL,
            at {integer} NOT NULL, action {text} NOT NULL, outcome {text} NOT NULL, code {text},
            person_id {bytes}, client_id {text}, address {text} NOT NULL, request_id {text} NOT NULL,
            details {text} NOT NULL, occurrences {integer} NOT NULL){key}
            """),
        .step(
            29, "audit_events_by_project",
            "CREATE INDEX audit_events_by_project ON audit_events (project_id, id)"),
        .step(
            30, "audit_events_by_person",
            """
            CREATE INDEX audit_events_by_person ON audit_events (person_id, id)
            WHERE person_id IS NOT NULL
            """),
        .step(
            31, "sessions_factors",
            "ALTER TABLE sessions ADD COLUMN factors {text} NOT NULL DEFAULT ''"),
        .step(
            32, "grants_context_class",
            "ALTER TABLE grants ADD COLUMN context_class {text} NOT NULL DEFAULT ''"),
        .step(
            33, "credentials_assurance",
            "ALTER TABLE credentials ADD COLUMN assurance {text} NOT NULL DEFAULT ''"),
        // Not in ``StoredTable``: a lease is not content, so backups do not contain it.
        .step(
            34, "server_leases",
            """
            CREATE TABLE server_leases (id {bytes} NOT NULL PRIMARY KEY, name {text} NOT NULL,
            expires_at {integer} NOT NULL){row}
            """),
        .step(
            35, "server_leases_by_expiry",
            "CREATE INDEX server_leases_by_expiry ON server_leases (expires_at)"),
        .step(
            36, "grants_claims",
            "ALTER TABLE grants ADD COLUMN claims {text} NOT NULL DEFAULT ''"),
        .step(
            37, "people_origin",
            "ALTER TABLE people ADD COLUMN origin {text} NOT NULL DEFAULT ''"),
        .step(
            38, "people_attributes",
            "ALTER TABLE people ADD COLUMN attributes {text} NOT NULL DEFAULT '{}'"),
        .step(
            39, "people_by_origin",
            """
            CREATE INDEX people_by_origin ON people (project_id, origin, created_at)
            WHERE origin <> ''
            """),
        .step(40, "grants_installation", "ALTER TABLE grants ADD COLUMN installation_id {bytes}"),
        .step(
            41, "grants_by_installation",
            """
            CREATE INDEX grants_by_installation ON grants (installation_id)
            WHERE installation_id IS NOT NULL
            """),
        .step(
            42, "installations",
            """
            CREATE TABLE installations (id {bytes} NOT NULL PRIMARY KEY,
            project_id {bytes} NOT NULL,
            person_id {bytes} NOT NULL REFERENCES people ON DELETE CASCADE,
            registration_id {bytes} NOT NULL, method {text} NOT NULL, binding {bytes} NOT NULL,
            credential_id {bytes}, name {text} NOT NULL, details {text} NOT NULL,
            created_at {integer} NOT NULL, UNIQUE (project_id, registration_id)){row}
            """),
        .step(
            43, "installations_by_person",
            "CREATE INDEX installations_by_person ON installations (person_id, created_at)"),
        .step(
            44, "issuer_keys",
            """
            CREATE TABLE issuer_keys (id {bytes} NOT NULL PRIMARY KEY,
            project_id {bytes} NOT NULL REFERENCES projects ON DELETE CASCADE,
            kind {text} NOT NULL, issuer {text} NOT NULL, kid {text} NOT NULL,
            algorithm {text} NOT NULL, public_jwk {text} NOT NULL, settings {text} NOT NULL,
            created_at {integer} NOT NULL, UNIQUE (project_id, issuer, kid)){row}
            """),
        .step(
            45, "entitlement_sets",
            """
            CREATE TABLE entitlement_sets (
            project_id {bytes} NOT NULL REFERENCES projects ON DELETE CASCADE,
            name {text} NOT NULL, entitlements {text} NOT NULL, created_at {integer} NOT NULL,
            PRIMARY KEY (project_id, name)){row}
            """),
        .step(
            46, "people_entitlement_set",
            "ALTER TABLE people ADD COLUMN entitlement_set {text} NOT NULL DEFAULT ''"),
        .step(
            47, "people_entitlements",
            "ALTER TABLE people ADD COLUMN entitlements {text} NOT NULL DEFAULT '{}'"),
        .step(
            48, "people_by_entitlement_set",
            """
            CREATE INDEX people_by_entitlement_set ON people (project_id, entitlement_set)
            WHERE entitlement_set <> ''
            """),
    ]
}
