// SPDX-License-Identifier: Apache-2.0

/// What processes that share a database have in common.
enum ClusterSchema {
    static let steps: [SchemaStep] = [
        // The oldest schema version whose programs may use the database. A step that removes what
        // they use is followed by a step that inserts a higher number
        // (``Migration/checkSupport()``).
        .step(
            155, "schema_support",
            "CREATE TABLE schema_support (oldest_version {integer} NOT NULL PRIMARY KEY){row}"),
        .step(
            156, "schema_support_of_154",
            "INSERT INTO schema_support (oldest_version) VALUES (154)"),
        // Not in ``StoredTable``: a lease is not content.
        .step(
            157, "job_leases",
            """
            CREATE TABLE job_leases (name {text} NOT NULL PRIMARY KEY, holder {bytes} NOT NULL,
            epoch {integer} NOT NULL, expires_at {integer} NOT NULL){row}
            """),
        // One row. A backup contains it, because its rows are sealed under that key.
        .step(
            158, "master_keys",
            """
            CREATE TABLE master_keys (id {integer} NOT NULL PRIMARY KEY,
            fingerprint {bytes} NOT NULL){row}
            """),
        // Not in ``StoredTable``: a restored backup must not bring back a revoked token.
        .step(
            159, "operator_tokens",
            """
            CREATE TABLE operator_tokens (hash {bytes} NOT NULL PRIMARY KEY,
            created_at {integer} NOT NULL, revoked_at {integer}){row}
            """),
        .step(
            160, "operator_tokens_expiry",
            "ALTER TABLE operator_tokens ADD COLUMN expires_at {integer}"),
        // Not in ``StoredTable``: it is about processes and their files. `position` has the order
        // in which versions were applied, because clocks differ.
        .step(
            161, "state_files",
            """
            CREATE TABLE state_files (path {text} NOT NULL, host {text} NOT NULL,
            digest {bytes} NOT NULL, applied_at {integer} NOT NULL, position {integer} NOT NULL,
            PRIMARY KEY (path, host, digest)){row}
            """),
    ]
}
