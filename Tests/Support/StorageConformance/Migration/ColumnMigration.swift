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
        let people = try await f.fillColumns()
        let (content, columns) = try await (StoreContent(of: store, for: f), columns())
        for statement in Self.olderSchema { try await change(statement) }
        try expectEqual(await store.maintenance.migrate(), steps)
        try expectEqual(await self.columns(), columns)
        try expectEqual(await StoreContent(of: store, for: f), content)
        try expectEqual(await store.maintenance.verify(), [])
        try await f.expectSignIns(people)
    }

    /// The sweep fills the columns of rows that a concurrent older version wrote.
    package func fillsLateRows() async throws {
        let f = try await StoreContent.fill(store)
        _ = try await f.fillColumns()
        let columns = try await columns()
        for statement in Self.olderWrites { try await change(statement) }
        _ = try await store.maintenance.sweep(now: f.now, batch: 10)
        try expectEqual(await self.columns(), columns)
    }

    /// Two people exchange their names in an older version, and have them after the sweep.
    package func followsRenamedPeople() async throws {
        let f = try await StoreFixture(store)
        let bea = f.makePerson("bea")
        try expectEqual(await store.people.create(bea, with: []), .created)
        for (old, new) in [("anna", "x"), ("bea", "anna"), ("x", "bea")] {
            try await change("UPDATE people SET username = '\(new)' WHERE username = '\(old)'")
        }
        _ = try await store.maintenance.sweep(now: f.now, batch: 10)
        try expectEqual(await store.people.person(bea.id)?.username, "anna")
        try expectEqual(await store.people.person(f.person.id)?.username, "bea")
    }

    /// A sign-in reads what an older version wrote, without a sweep in between.
    package func signsInAfterOlderWrites() async throws {
        let f = try await StoreFixture(store)
        let people = try await f.fillRealms()
        try await f.expectSignIns(people)
        // As the older version inserts people.
        try await change("UPDATE people SET realm = NULL, user_name = NULL")
        try await change("DELETE FROM realms WHERE kind = 'upstream'")
        try await f.expectSignIns(people)
        // As it disables and enables realms: the last one, and no other.
        let all = people.map { "\u{1F}\($0.person.realm)\u{1F}" }
        for (text, isEnabled) in [
            (all[3], [true, true, true, false]), ("", [true, true, true, true]),
        ] {
            try await change(
                "UPDATE projects SET silent_realms = '\(text)' WHERE name = '\(f.project.name)'")
            try await f.expectSignIns(zip(people, isEnabled).map { ($0.person, $1) })
        }
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
        "SELECT id, realm, user_name FROM people ORDER BY id",
        "SELECT project_id, name, kind, silent FROM realms ORDER BY project_id, name",
        "SELECT id, silent_realms, listed_realms FROM projects ORDER BY id",
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
        "DROP INDEX projects_unlisted", "ALTER TABLE projects DROP COLUMN listed_realms",
        "DROP INDEX people_unsplit", "DROP INDEX people_by_realm",
        "ALTER TABLE people DROP COLUMN user_name", "ALTER TABLE people DROP COLUMN realm",
        "DROP TABLE realms",
        "DELETE FROM schema_steps WHERE number BETWEEN 135 AND 154",
    ]

    private static let olderWrites = [
        "UPDATE audit_events SET device_id = NULL",
        "UPDATE grants SET shows_key = NULL, is_federated = NULL",
        "UPDATE upstream_providers SET link_only = NULL WHERE name = 'acme'",
        // The settings of a provider changed, and not the column.
        "UPDATE upstream_providers SET link_only = 0 WHERE name = 'linked'",
        "UPDATE people SET realm = NULL, user_name = NULL",
        "DELETE FROM realms WHERE kind = 'upstream'",
        "UPDATE realms SET silent = 0", "UPDATE projects SET listed_realms = NULL",
    ]
}

extension StoreFixture {
    /// Inserts rows whose columns differ.
    fileprivate func fillColumns() async throws -> [(person: Person, canSignIn: Bool)] {
        var linked = makeUpstream("linked")
        linked.settings.linkOnly = true
        try expect(await store.upstreamProviders.save(linked, now: now))
        for methods in ["hwk", "pwd swk", "otp pop", "fed", "fed hwk", "app"] {
            var grant = makeGrant()
            grant.authenticationMethods = methods
            try await store.grants.save(makeCode(grant))
        }
        let device: Identifier<Device> = identifier()
        for (index, details) in [
            #"{"device":"\#(device)"}"#, #"{"device":"\#(device)","by":"token"}"#,
            #"{"by":"token","device":"\#(device)"}"#, #"{"device":["a"]}"#, #"{"device":"a"}"#,
            "{}",
        ].enumerated() {
            var event = makeEvent("device.sign-in", at: now + .seconds(Int64(2000 + index)))
            event.details = details
            try await store.auditLog.append([event])
        }
        return try await fillRealms()
    }

    /// Inserts people of an enabled and of a disabled service, of an upstream provider and of the
    /// project. The last one is enabled.
    fileprivate func fillRealms() async throws -> [(person: Person, canSignIn: Bool)] {
        var (bank, shop) = (CustomProviderSettings(), CustomProviderSettings())
        (bank.id, shop.id) = ("bank", "shop")
        var people: [Person] = []
        for realm in ["", "idp:acme", bank.realm, shop.realm] {
            people.append(try await added(realm, registering: [bank, shop]))
        }
        bank.enabled = false
        try await setServices([bank, shop])
        return people.map { ($0, $0.realm != bank.realm) }
    }

    private func added(
        _ realm: String, registering services: [CustomProviderSettings]
    ) async throws -> Person {
        try await setServices(services)
        var person = makePerson("p-\(identifier() as Identifier<Client>)")
        person.realm = realm
        try expectEqual(await store.people.create(person, with: []), .created)
        return person
    }

    private func setServices(_ services: [CustomProviderSettings]) async throws {
        let edit = try await store.projects.change(
            project: project.id, always { $0.policy.registration.identityProviders = services })
        try expect(edit.isKept)
    }

    fileprivate func expectSignIns(_ people: [(person: Person, canSignIn: Bool)]) async throws {
        for (person, canSignIn) in people {
            try expectEqual(await signsIn(person), canSignIn)
        }
    }

    private func signsIn(_ person: Person) async throws -> Bool {
        var session = makeSession(factors: [factor("hwk")])
        session.person = person.id
        do {
            try await store.sessions.create(session, replacing: nil, now: now)
            return true
        } catch let error as StorageError where error.code == .missingParent {
            return false
        }
    }
}
