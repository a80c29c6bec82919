// SPDX-License-Identifier: Apache-2.0

/// Tokens of the Admin API with a role, and the owners of registration tokens.
enum APITokensSchema {
    static let steps: [SchemaStep] = [
        .step(
            96, "api_tokens",
            """
            CREATE TABLE api_tokens (id {bytes} NOT NULL PRIMARY KEY,
            project_id {bytes} NOT NULL REFERENCES projects ON DELETE CASCADE,
            hash {bytes} NOT NULL UNIQUE, name {text} NOT NULL, role {text} NOT NULL,
            made_by {bytes}, maker {text} NOT NULL, created_at {integer} NOT NULL,
            expires_at {integer} NOT NULL, revoked_at {integer}, last_used_at {integer},
            delete_after {integer} NOT NULL){row}
            """),
        .step(
            97, "api_tokens_by_project",
            "CREATE INDEX api_tokens_by_project ON api_tokens (project_id, id)"),
        .step(
            98, "api_tokens_by_expiry",
            "CREATE INDEX api_tokens_by_expiry ON api_tokens (delete_after)"),
        .step(
            99, "device_tokens_owner",
            "ALTER TABLE device_tokens ADD COLUMN owner {text} NOT NULL DEFAULT ''"),
    ]
}
