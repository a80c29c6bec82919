// SPDX-License-Identifier: Apache-2.0
import Storage
import StorageSQL
import StorageSQLite
import Support
import Testing

@Suite struct GroupMigrationTests {
    private let folder = TestFolder()

    @Test("people who were there before are listed under their groups")
    func before() async throws {
        let engine = try SQLiteEngine.passing(path: folder.path("before"))
        let store = SQLStore(engine: engine, archives: SQLiteArchive())
        _ = try await store.maintenance.migrate()
        let f = try await StoreFixture(store)
        var bea = f.makePerson("bea")
        bea.claims.name = "Be\u{0}a"
        bea.claims.groups = ["staff", "staff", "", String(repeating: "n", count: 256)]
        _ = try await store.people.create(bea, with: [])
        try await f.join("admins", "carl")
        // As a version without the list leaves a database.
        _ = try await engine.change("DROP TABLE group_members")
        _ = try await engine.change(
            "DELETE FROM schema_steps WHERE number IN ($1, $2)", 104, 105)
        let ran = try await store.maintenance.migrate()
        #expect(ran == ["group_members", "group_members_of_before"])
        let groups = try await store.groups.groups(of: f.project.id, after: nil, limit: 9)
        #expect(groups.map(\.name) == ["admins", "staff"])
        #expect(groups.map(\.members) == [1, 1])
        let members = try await store.groups.members(
            of: "staff", in: f.project.id, after: nil, limit: 9)
        #expect(members == [bea])
        await store.maintenance.close()
    }
}
