// SPDX-License-Identifier: Apache-2.0
import Storage

/// A table as a backup copies it: every column, in the order of the key.
package struct StoredTable: Sendable {
    package let name: String
    package let key: Columns
    package let columns: Columns

    /// Every table, parents before children.
    package static let all: [StoredTable] = [
        StoredTable("master_keys", key: "id", "fingerprint"),
        StoredTable("projects", key: "id", Project.columns, also: "silent_realms listed_realms"),
        StoredTable("realms", key: "project_id name", "kind silent"),
        StoredTable(
            "people", key: "id", Person.columns, also: "verified_email entitlements listed"),
        StoredTable("held_names", key: "project_id name", "held_until"),
        StoredTable("person_terms", key: "project_id term person_id", ""),
        StoredTable("group_members", key: "project_id group_name sort_name person_id", ""),
        StoredTable("upstream_providers", key: "id", UpstreamProvider.columns),
        StoredTable("credentials", key: "id", Credential.columns),
        StoredTable("clients", key: "id", Client.columns),
        StoredTable("sessions", key: "id", Session.columns),
        StoredTable(
            "grants", key: "id", Columns(joining: Grant.allColumns, AuthorizationCode.columns),
            also: "redeemed_at delete_after"),
        StoredTable(
            "device_authorizations", key: "device_code_hash", DeviceAuthorization.columns,
            also: "grant_id"),
        StoredTable("approvals", key: "id", Approval.columns, also: "grant_id last_polled_at"),
        StoredTable("administrators", key: "id", Administrator.columns),
        StoredTable("api_tokens", key: "id", APIToken.columns, also: "delete_after"),
        StoredTable("challenges", key: "project_id purpose hash", Challenge.columns),
        StoredTable("used_marks", key: "kind mark", "expires_at"),
        StoredTable("attempts", key: "bucket", "attempts resets_at"),
        StoredTable("consents", key: "person_id client_id", Consent.columns),
        StoredTable("signing_keys", key: "id", SigningKey.columns),
        StoredTable("installations", key: "id", Installation.columns),
        StoredTable("approval_enrollments", key: "installation_id", ApprovalEnrollment.columns),
        StoredTable("pins", key: "project_id key_id", StoredPIN.columns, also: "delete_after"),
        StoredTable("issuer_keys", key: "id", IssuerKey.columns),
        StoredTable("entitlement_sets", key: "project_id name", EntitlementSet.columns),
        StoredTable("entitlement_sequences", key: "project_id name", "created_at"),
        StoredTable("entitlement_steps", key: "project_id sequence position", "set_name duration"),
        StoredTable("person_sequences", key: "project_id sequence person_id", "started_at"),
        StoredTable("expendable_entitlements", key: "person_id name", "amount"),
        StoredTable(
            "expendable_changes", key: "person_id request_id", "amounts outcome expires_at"),
        StoredTable("encryption_keys", key: "id", EncryptionKey.columns),
        StoredTable("devices", key: "id", Device.columns),
        StoredTable("device_keys", key: "project_id kid", DeviceKey.columns),
        StoredTable("device_users", key: "device_id person_id", DeviceUser.columns),
        StoredTable("device_tokens", key: "id", RegistrationToken.columns),
        StoredTable("unlock_keys", key: "id", UnlockKey.columns),
        StoredTable("audit_events", key: "id", AuditEvent.columns),
    ]

    private init(_ name: String, key: String, _ others: String) {
        self.init(name, key: key, Columns(others))
    }

    /// - Parameters:
    ///   - record: The columns of the record; they may contain the key.
    ///   - others: Columns that only statements use.
    private init(_ name: String, key: String, _ record: Columns, also others: String = "") {
        self.name = name
        self.key = Columns(key)
        columns = Columns(joining: self.key, record.without(self.key), Columns(others))
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
