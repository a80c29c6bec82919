// SPDX-License-Identifier: Apache-2.0

/// A table as a backup copies it: every column, in the order of the key.
package struct StoredTable: Sendable {
    package let name: String
    package let key: Columns
    package let columns: Columns

    /// Every table, parents before children.
    package static let all: [StoredTable] = [
        StoredTable(
            "projects", key: "id",
            "name environment theme policy created_at silent_realms listed_realms"),
        StoredTable("realms", key: "project_id name", "kind silent"),
        StoredTable(
            "people", key: "id",
            """
            project_id username verified_email claims disabled created_at origin attributes \
            entitlement_set entitlements shown_name account_name \
            invited_until listed realm user_name
            """),
        StoredTable("held_names", key: "project_id name", "held_until"),
        StoredTable("person_terms", key: "project_id term person_id", ""),
        StoredTable("group_members", key: "project_id group_name sort_name person_id", ""),
        StoredTable(
            "upstream_providers", key: "id",
            "project_id name kind enabled settings sealed_secret created_at link_only"),
        StoredTable(
            "credentials", key: "id",
            """
            project_id person_id kind external_id public_part details label sign_count \
            created_at last_used_at assurance upstream_id installation_id awaits_approval
            """),
        StoredTable(
            "clients", key: "id", "project_id client_id metadata secret_hash disabled created_at"),
        StoredTable(
            "sessions", key: "id",
            """
            project_id person_id secret_hash authentication_methods authenticated_at \
            last_seen_at expires_at device address factors rests_on
            """),
        StoredTable(
            "grants", key: "id",
            """
            project_id client_id person_id session_id scope nonce authentication_methods \
            authenticated_at generation rotated_at created_at expires_at revoked_at code_hash \
            redirect_uri redirect_uri_was_sent code_challenge code_expires_at redeemed_at \
            delete_after context_class claims installation_id device_id shows_key is_federated
            """),
        StoredTable(
            "device_authorizations", key: "device_code_hash",
            """
            user_code_hash project_id client_id scope state grant_id last_polled_at \
            poll_interval expires_at device
            """),
        StoredTable(
            "approvals", key: "id",
            """
            project_id client_id request_hash code_hash person_id installation_id scope message \
            transaction_text nonce state grant_id answer last_polled_at poll_interval created_at \
            expires_at
            """),
        StoredTable("administrators", key: "id", "person_id project_id role created_at"),
        StoredTable(
            "api_tokens", key: "id",
            """
            project_id hash name role made_by maker created_at expires_at revoked_at \
            last_used_at delete_after
            """),
        StoredTable("challenges", key: "project_id purpose hash", "payload expires_at"),
        StoredTable("used_marks", key: "kind mark", "expires_at"),
        StoredTable("attempts", key: "bucket", "attempts resets_at"),
        StoredTable("consents", key: "person_id client_id", "project_id scope given_at"),
        StoredTable(
            "signing_keys", key: "id",
            """
            project_id kid algorithm state public_jwk sealed_private_key created_at changed_at
            """),
        StoredTable(
            "installations", key: "id",
            """
            project_id person_id registration_id method binding credential_id name details \
            created_at
            """),
        StoredTable("approval_enrollments", key: "installation_id", "push_token enrolled_at"),
        StoredTable(
            "pins", key: "project_id key_id",
            """
            installation_id person_id public_jwk content ending revision created_at delete_after
            """),
        StoredTable(
            "issuer_keys", key: "id",
            "project_id kind issuer kid algorithm public_jwk settings created_at"),
        StoredTable(
            "entitlement_sets", key: "project_id name", "entitlements created_at"),
        StoredTable("entitlement_sequences", key: "project_id name", "created_at"),
        StoredTable(
            "entitlement_steps", key: "project_id sequence position", "set_name duration"),
        StoredTable("person_sequences", key: "project_id sequence person_id", "started_at"),
        StoredTable("expendable_entitlements", key: "person_id name", "amount"),
        StoredTable(
            "expendable_changes", key: "person_id request_id", "amounts outcome expires_at"),
        StoredTable(
            "encryption_keys", key: "id",
            "project_id state public_jwk sealed_private_key created_at"),
        StoredTable(
            "devices", key: "id",
            """
            project_id sharing serial udid model host_name system_version identity registered_by \
            attestation registered_at last_seen_at revoked_at compliance compliance_until
            """),
        StoredTable(
            "device_keys", key: "project_id kid",
            "device_id person_id key_use public_jwk created_at ends_at context_class"),
        StoredTable(
            "device_users", key: "device_id person_id",
            "project_id method login_name registered_at last_sign_in_at"),
        StoredTable(
            "device_tokens", key: "id",
            """
            project_id hash label serial maximum_uses uses created_at expires_at revoked_at owner
            """),
        StoredTable(
            "unlock_keys", key: "id",
            """
            project_id device_id person_id purpose sealed_private_key certificate created_at \
            expires_at delete_after
            """),
        StoredTable(
            "audit_events", key: "id",
            """
            project_id at action outcome code person_id client_id address request_id details \
            occurrences device_id
            """),
    ]

    private init(_ name: String, key: String, _ others: String) {
        self.name = name
        self.key = Columns(key)
        columns = Columns("\(key) \(others)")
    }

    /// Returns the number of rows.
    func count(_ connection: any SQLConnection) throws -> Int {
        guard var row = try connection.first("SELECT count(*) FROM \(name)") else { return 0 }
        return Int(try row.integer())
    }

    /// Returns up to `limit` rows after the row whose key is `last`.
    func page(
        _ connection: any SQLConnection, after last: [SQLValue]?, limit: Int
    ) throws -> [SQLRow] {
        let order = "ORDER BY \(key.list) LIMIT \(limit)"
        guard let last else {
            return try connection.query("SELECT \(columns.list) FROM \(name) \(order)")
        }
        let statement = """
            SELECT \(columns.list) FROM \(name) WHERE (\(key.list)) > (\(key.parameters)) \(order)
            """
        return try connection.query(statement, arguments: last)
    }
}
