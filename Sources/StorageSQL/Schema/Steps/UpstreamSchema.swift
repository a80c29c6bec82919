// SPDX-License-Identifier: Apache-2.0

/// Upstream identity providers and federated identities.
enum UpstreamSchema {
    static let steps: [SchemaStep] = [
        .step(
            69, "upstream_providers",
            """
            CREATE TABLE upstream_providers (id {bytes} NOT NULL PRIMARY KEY,
            project_id {bytes} NOT NULL REFERENCES projects ON DELETE CASCADE,
            name {text} NOT NULL, kind {text} NOT NULL, enabled {integer} NOT NULL,
            settings {text} NOT NULL, sealed_secret {bytes}, created_at {integer} NOT NULL,
            UNIQUE (project_id, name)){row}
            """),
        .step(
            70, "credentials_upstream",
            """
            ALTER TABLE credentials ADD COLUMN upstream_id {bytes}
            REFERENCES upstream_providers ON DELETE CASCADE
            """),
        .step(
            71, "credentials_by_upstream",
            """
            CREATE INDEX credentials_by_upstream ON credentials (upstream_id, person_id)
            WHERE upstream_id IS NOT NULL
            """),
    ]
}
