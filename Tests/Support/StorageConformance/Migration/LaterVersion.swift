// SPDX-License-Identifier: Apache-2.0
import Primitives
package import Storage

/// A database that a later version migrates while a process of this version serves. Both engines run
/// it.
package struct LaterVersion {
    /// The process of this version.
    private let store: any ProviderStore
    /// Runs the steps of this version and these, as a process of the later version.
    private let migrate: @Sendable ([String]) async throws -> Void
    /// The rows of a query.
    private let rows: (String) async throws -> String

    package init(
        _ store: any ProviderStore, migrate: @escaping @Sendable ([String]) async throws -> Void,
        rows: @escaping (String) async throws -> String
    ) {
        (self.store, self.migrate, self.rows) = (store, migrate, rows)
    }

    /// Steps that only add, of which the last one says what it supports.
    private func expandingSteps(supporting version: Int) -> [String] {
        [
            "CREATE TABLE later_items (id {bytes} NOT NULL PRIMARY KEY, name {text}){row}",
            "ALTER TABLE people ADD COLUMN later {text}",
            "ALTER TABLE grants ADD COLUMN later {integer} NOT NULL DEFAULT 7",
            "CREATE INDEX people_by_later ON people (project_id, later)",
            "UPDATE people SET later = 'added'",
            "INSERT INTO schema_support (oldest_version) VALUES (\(version))",
        ]
    }

    /// The process of this version serves during the migration and after it, can be started again,
    /// and leaves what the later version has added.
    ///
    /// - Throws: ``ConformanceFailure``.
    package func servesTogether() async throws {
        let f = try await StoreContent.fill(store)
        let grant = try await f.redeemedGrant()
        let version = try await store.maintenance.status().latestSchemaVersion
        let (migrate, steps) = (migrate, expandingSteps(supporting: version))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<3 { group.addTask { try await Self.serve(f) } }
            group.addTask { try await migrate(steps) }
            try await group.waitForAll()
        }
        try expectEqual(await store.maintenance.migrate(), [])
        try expectEqual(await store.maintenance.verify(), [])
        try await Self.serve(f)
        guard case .rotated = try await f.rotate(grant.id, 1) else {
            throw ConformanceFailure(description: "a token from before the migration is refused")
        }
        try await expectAdditionsRemain(f)
    }

    /// What every request does: writes new rows, and changes stored ones.
    private static func serve(_ f: StoreFixture) async throws {
        for _ in 0..<20 {
            let grant = try await f.redeemedGrant()
            guard case .rotated = try await f.rotate(grant.id, 1) else {
                throw ConformanceFailure(description: "a refresh token is refused")
            }
            _ = try await f.store.projects.change(
                project: f.project.id, always { $0.policy.codeLifetime += 1 })
        }
    }

    private func expectAdditionsRemain(_ f: StoreFixture) async throws {
        _ = try await store.people.change(person: f.person.id, now: f.now) { person -> String? in
            person.claims.name = "Anna"
            return nil
        }
        try expectEqual(await store.people.person(f.person.id)?.claims.name, "Anna")
        let kept = try await rows("SELECT later FROM people WHERE username = 'anna'")
        try expect(kept.contains("added"), "the later column of a changed person: \(kept)")
        let other = try await rows("SELECT id FROM grants WHERE later <> 7")
        try expectEqual(other, "[]")
    }

    /// A process of this version refuses to start after a later version has raised the oldest supported
    /// version, and changes nothing. One that runs continues.
    ///
    /// - Throws: ``ConformanceFailure``.
    package func refusesRaisedSupport() async throws {
        let f = try await StoreContent.fill(store)
        let version = try await store.maintenance.status().latestSchemaVersion
        try await migrate(expandingSteps(supporting: version + 1))
        let steps = try await rows("SELECT number FROM schema_steps ORDER BY number")
        do {
            _ = try await store.maintenance.migrate()
            throw ConformanceFailure(description: "the schema was not refused")
        } catch let error as StorageError {
            try expectEqual(error.code, .newerSchema)
            try expect(
                error.reason.contains(
                    "supports programs of version \(version + 1) and later; this program has version "
                        + "\(version)."), error.reason)
        }
        try expectEqual(await rows("SELECT number FROM schema_steps ORDER BY number"), steps)
        try await Self.serve(f)
    }

    /// A backup by this version would be without what the later version has added, and a restore would
    /// leave it: both are refused.
    ///
    /// - Parameter path: of a file that does not exist.
    /// - Throws: ``ConformanceFailure``.
    package func refusesIncompleteBackup(at path: String) async throws {
        let f = try await StoreContent.fill(store)
        try await store.maintenance.backup(to: path) { _ in }
        let version = try await store.maintenance.status().latestSchemaVersion
        try await migrate(expandingSteps(supporting: version))
        let content = try await StoreContent(of: store, for: f)
        try await expectNewerSchema { try await store.maintenance.backup(to: path + "2") { _ in } }
        try await expectNewerSchema { try await store.maintenance.restore(from: path) { _ in } }
        try expectEqual(await StoreContent(of: store, for: f), content)
    }

    private func expectNewerSchema(_ body: () async throws -> Void) async throws {
        do { try await body() } catch let error as StorageError where error.code == .newerSchema {
            return
        }
        throw ConformanceFailure(description: "a database of a later version was not refused")
    }
}
