// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage
import StorageSQL
import StorageSQLite
import Support
import Testing

@Suite struct NameMigrationTests {
    private let folder = TestFolder()

    @Test("people who were there before are given names to be shown, each another one")
    func before() async throws {
        let engine = try SQLiteEngine.passing(path: folder.path("before"))
        let store = SQLStore(engine: engine, archives: SQLiteArchive())
        _ = try await store.migrate()
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
            try #require(try await store.create(person, with: []) == .created)
            people.append(person)
        }
        // As a version without these names leaves a database.
        for index in ["people_by_shown_name", "people_without_shown_name"] {
            _ = try await engine.change("DROP INDEX \(index)")
        }
        _ = try await engine.change("ALTER TABLE people DROP COLUMN shown_name")
        _ = try await engine.change("DELETE FROM schema_steps WHERE name LIKE '%shown_name%'")
        let ran = try await store.migrate()
        #expect(ran.count == 4)
        var shown: [String] = []
        for person in people { shown.append(try await store.person(person.id)?.shownName ?? "") }
        #expect(
            shown == [
                "boss#acme", "boss#\(people[1].id)", "boss", "carl", "carl#hub", "boss#hub",
                "d@example.com#acme", "e@example.com",
            ])
        await store.close()
    }

    @Test("machines that were there before are known by their serial numbers as they are compared")
    func serialNumbers() async throws {
        let engine = try SQLiteEngine.passing(path: folder.path("serial-numbers"))
        let store = SQLStore(engine: engine, archives: SQLiteArchive())
        _ = try await store.migrate()
        try await SerialMigration(store, migrate: { try await store.migrate() }) {
            _ = try await engine.change($0)
        }.run()
        await store.close()
    }
}
