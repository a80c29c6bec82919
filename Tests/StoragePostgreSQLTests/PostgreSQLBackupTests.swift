// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage
import StoragePostgreSQL
import StorageSQL
import StorageSQLite
import Support
import Testing

/// Backups of one engine restore into the other.
/// Skipped where PostgreSQL 15 is not installed: `Scripts/bootstrap` installs it.
@Suite(.enabled(if: PostgreSQLServer.unavailable == nil, "PostgreSQL 15 is not installed"))
struct PostgreSQLBackupTests {
    private let folder = TestFolder()

    private func open() async throws -> any ProviderStore {
        let store = try await PostgreSQLStore.open(
            url: PostgreSQLServer.shared().makeDatabase(), connections: 4,
            archives: SQLiteArchive())
        _ = try await store.maintenance.migrate()
        return store
    }

    @Test("an empty database says so, and migrates when it is told")
    func empty() async throws {
        let store = try await PostgreSQLStore.open(
            url: PostgreSQLServer.shared().makeDatabase(), connections: 1,
            archives: SQLiteArchive())
        let status = try await store.maintenance.status()
        #expect(status.schemaVersion == 0)
        #expect(status.pendingSteps.count == status.latestSchemaVersion)
        #expect(status.rows.isEmpty)
        #expect(try await store.maintenance.migrate() == status.pendingSteps)
        #expect(try await store.maintenance.migrate() == [])
        await store.maintenance.close()
    }

    @Test("a backup restores to the same content, over whatever was there")
    func roundTrip() async throws {
        let store = try await open()
        let f = try await StoreContent.fill(store)
        let before = try await StoreContent(of: store, for: f)
        try await store.maintenance.backup(to: folder.path("b")) { _ in }
        _ = try await StoreContent.fill(store)
        try await store.maintenance.restore(from: folder.path("b")) { _ in }
        #expect(try await StoreContent(of: store, for: f) == before)
        #expect(try await store.maintenance.verify().isEmpty)
        await store.maintenance.close()
    }

    @Test("A backup through one process while another one writes is one moment of the database")
    func whileAnotherWrites() async throws {
        let url = try PostgreSQLServer.shared().makeDatabase()
        func process() async throws -> any ProviderStore {
            try await PostgreSQLStore.open(url: url, connections: 4, archives: SQLiteArchive())
        }
        let (one, two) = (try await process(), try await process())
        _ = try await one.maintenance.migrate()
        let f = try await StoreContent.fill(two)
        let path = folder.path("b")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask { for _ in 0..<25 { _ = try await f.redeemedGrant() } }
            }
            group.addTask { try await one.maintenance.backup(to: path) { _ in } }
            try await group.waitForAll()
        }
        let restored = try await SQLiteStore.temporary()
        try await restored.maintenance.restore(from: path) { _ in }
        #expect(try await restored.maintenance.verify().isEmpty)
        #expect(try await restored.people.person(f.person.id) == f.person)
        for store in [one, two, restored] { await store.maintenance.close() }
    }

    @Test("a store moves from SQLite to PostgreSQL and back")
    func move() async throws {
        let small = try await SQLiteStore.temporary()
        let large = try await open()
        let f = try await StoreContent.fill(small)
        let before = try await StoreContent(of: small, for: f)
        try await small.maintenance.backup(to: folder.path("there")) { _ in }
        try await large.maintenance.restore(from: folder.path("there")) { _ in }
        #expect(try await StoreContent(of: large, for: f) == before)
        try await large.maintenance.backup(to: folder.path("back")) { _ in }
        let back = try await SQLiteStore.temporary()
        try await back.maintenance.restore(from: folder.path("back")) { _ in }
        #expect(try await StoreContent(of: back, for: f) == before)
        for store in [small, large, back] { await store.maintenance.close() }
    }

    @Test("a backup that is not sound replaces nothing")
    func damaged() async throws {
        let store = try await open()
        let f = try await StoreContent.fill(store)
        let before = try await StoreContent(of: store, for: f)
        let path = folder.path("b")
        try await store.maintenance.backup(to: path) { _ in }
        try SQLiteArchive.edit(path) { _ = try $0.change("UPDATE people SET disabled = 1") }
        await #expect(throws: StorageError.self) {
            try await store.maintenance.restore(from: path) { _ in }
        }
        #expect(try await StoreContent(of: store, for: f) == before)
        await store.maintenance.close()
    }
}
