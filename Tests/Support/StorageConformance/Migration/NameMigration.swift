// SPDX-License-Identifier: Apache-2.0
import Primitives
package import Storage

/// Names for people of a version that had none (``Person/shownName``), on any engine.
package struct NameMigration {
    private let store: any ProviderStore
    private let migrate: () async throws -> [String]
    private let run: (String) async throws -> Void

    /// - Parameter run: runs a statement on the store's database.
    package init(
        _ store: any ProviderStore, migrate: @escaping () async throws -> [String],
        running run: @escaping (String) async throws -> Void
    ) {
        (self.store, self.migrate, self.run) = (store, migrate, run)
    }

    package func check() async throws {
        let people = try await people()
        // As a version without these names leaves a database.
        for index in ["people_by_shown_name", "people_without_shown_name"] {
            try await run("DROP INDEX \(index)")
        }
        try await run("ALTER TABLE people DROP COLUMN shown_name")
        try await run("DELETE FROM schema_steps WHERE name LIKE '%shown_name%'")
        try expectEqual(await migrate().count, 4)
        var shown: [String] = []
        for person in people {
            shown.append(try await store.people.person(person.id)?.shownName ?? "")
        }
        try expectEqual(
            shown,
            [
                "boss#acme", "boss#\(people[1].id)", "boss", "carl", "carl#hub", "boss#hub",
                "d@example.com#acme", "e@example.com",
            ])
    }

    private func people() async throws -> [Person] {
        let f = try await StoreFixture(store)
        var people: [Person] = []
        for (name, realm) in [
            ("boss", "idp:acme"), ("boss", "idp:hub"), ("boss", ""), ("carl", "idp:acme"),
            ("carl", "idp:hub"), ("boss#hub", ""), ("d@example.com", "idp:acme"),
            ("e@example.com", ""),
        ] {
            var person = f.makePerson(name)
            person.realm = realm
            person.createdAt = f.now + .seconds(Int64(people.count))
            try expectEqual(await store.people.create(person, with: []), .created)
            people.append(person)
        }
        return people
    }
}
