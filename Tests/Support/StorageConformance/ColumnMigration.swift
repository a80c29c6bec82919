// SPDX-License-Identifier: Apache-2.0
import Primitives
package import Storage

/// A database of the version before columns replaced values that were matched in texts, migrated. Both
/// engines run it.
package struct ColumnMigration {
    private let store: any ProviderStore
    private let change: (String) async throws -> Void
    private let rows: (String) async throws -> String

    /// - Parameters:
    ///   - change: Runs a statement on the store's database.
    ///   - rows: Returns the rows of a query.
    package init(
        _ store: any ProviderStore, change: @escaping (String) async throws -> Void,
        rows: @escaping (String) async throws -> String
    ) {
        (self.store, self.change, self.rows) = (store, change, rows)
    }

    /// Verbs return the same before and after the migration, and the migration writes the values that
    /// the verbs write.
    ///
    /// - Parameter steps: The names of the steps since that version.
    package func migrates(steps: [String]) async throws {
        let f = try await StoreContent.fill(store)
        try await f.fillColumns()
        let (content, columns) = try await (StoreContent(of: store, for: f), columns())
        for statement in Self.olderSchema { try await change(statement) }
        try expectEqual(await store.migrate(), steps)
        try expectEqual(await self.columns(), columns)
        try expectEqual(await StoreContent(of: store, for: f), content)
        try expectEqual(await store.verify(), [])
    }

    /// The sweep fills the columns of rows that a concurrent older version wrote.
    package func fillsLateRows() async throws {
        let f = try await StoreContent.fill(store)
        try await f.fillColumns()
        let columns = try await columns()
        for statement in Self.olderWrites { try await change(statement) }
        _ = try await store.sweep(now: f.now, batch: 10)
        try expectEqual(await self.columns(), columns)
    }

    private func columns() async throws -> [String] {
        var found: [String] = []
        for query in Self.queries { found.append(try await rows(query)) }
        return found
    }

    private static let queries = [
        "SELECT name, link_only FROM upstream_providers ORDER BY id",
        "SELECT id, shows_key, is_federated FROM grants ORDER BY id",
        "SELECT id, device_id FROM audit_events WHERE device_id IS NOT NULL ORDER BY id",
    ]

    private static let olderSchema = [
        "DROP INDEX audit_events_without_device", "DROP INDEX audit_events_of_device",
        "ALTER TABLE audit_events DROP COLUMN device_id",
        """
        CREATE INDEX audit_events_by_device ON audit_events (substr(details, 1, 48), id)
        WHERE substr(details, 1, 11) = '{"device":"'
        """,
        "DROP INDEX grants_without_flags", "ALTER TABLE grants DROP COLUMN shows_key",
        "ALTER TABLE grants DROP COLUMN is_federated",
        "ALTER TABLE upstream_providers DROP COLUMN link_only",
        "DELETE FROM schema_steps WHERE number >= 140",
    ]

    private static let olderWrites = [
        "UPDATE audit_events SET device_id = NULL",
        "UPDATE grants SET shows_key = NULL, is_federated = NULL",
        "UPDATE upstream_providers SET link_only = NULL WHERE name = 'acme'",
        // The settings of a provider changed, and not the column.
        "UPDATE upstream_providers SET link_only = 0 WHERE name = 'linked'",
    ]
}

extension StoreFixture {
    /// Rows whose columns differ.
    fileprivate func fillColumns() async throws {
        var linked = makeUpstream("linked")
        linked.settings.linkOnly = true
        try expect(await store.save(linked, now: now))
        for methods in ["hwk", "pwd swk", "otp pop", "fed", "fed hwk", "app"] {
            var grant = makeGrant()
            grant.authenticationMethods = methods
            try await store.save(makeCode(grant))
        }
        let device: Identifier<Device> = identifier()
        for (index, details) in [
            #"{"device":"\#(device)"}"#, #"{"device":"\#(device)","by":"token"}"#,
            #"{"by":"token","device":"\#(device)"}"#, #"{"device":["a"]}"#, #"{"device":"a"}"#,
            "{}",
        ].enumerated() {
            var event = makeEvent("device.sign-in", at: now + .seconds(Int64(2000 + index)))
            event.details = details
            try await store.append([event])
        }
    }
}
