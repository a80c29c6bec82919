// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CommandLineSupport
import Foundation
import Primitives
import ProviderSupport
import Storage
import Support
import Testing

@testable import gatehouse

/// A process that starts while a restore runs, or after one that was killed.
@Suite struct UnfinishedRestoreTests {
    private let folder = TestFolder()
    private let clock = ManualClock()
    private let record = UnfinishedRestore(
        process: "host:1", startedAt: Timestamp(seconds: 1_800_000_000))

    private func place(_ engine: KeyPublicationTests.Engine) throws -> ServeConfiguration.Database {
        switch engine {
        case .sqlite: .sqlite(path: folder.path("store.sqlite"))
        case .postgres:
            .postgres(url: try PostgreSQLServer.shared().makeDatabase().revealText())
        }
    }

    private func open(_ place: ServeConfiguration.Database) async throws -> any ProviderStore {
        try await StoreFactory.open(place, migrating: true, connections: 4)
    }

    /// Restores a backup of the store into it.
    private func restore(
        _ store: any ProviderStore, check: () async throws -> Void
    ) async throws {
        let path = folder.path("backup")
        try await store.maintenance.backup(to: path, replacing: true) { _ in }
        try await store.maintenance.restore(
            from: path, as: record, check: check, progress: { _ in })
    }

    @Test(
        "Attack 108: no process opens a database to serve from it until a restore has ended",
        arguments: KeyPublicationTests.Engine.installed)
    func opening(_ engine: KeyPublicationTests.Engine) async throws {
        let place = try place(engine)
        let store = try await open(place)
        try await restore(store) {
            let error = await #expect(throws: CommandError.self) {
                _ = try await open(place)
            }
            let text = error?.description ?? ""
            #expect(text.contains("began at 2027-01-15T08:00:00") && text.contains("(host:1)"))
            #expect(text.contains("store restore FILE again") && text.contains("--abandon"))
        }
        try await open(place).maintenance.close()
        await store.maintenance.close()
    }

    @Test(
        "Attack 108: of a restore and a process that start at once, at least one refuses",
        arguments: KeyPublicationTests.Engine.installed)
    func presence(_ engine: KeyPublicationTests.Engine) async throws {
        let store = try await open(try place(engine))
        let presence = ServerPresence(store, clock: clock, random: SeededRandom(seed: 1))
        func leases() async throws -> Int {
            try await store.serverLeases.serverLeases(now: clock.now).count
        }
        try await restore(store) {
            await #expect(throws: CommandError.self) { try await presence.enter() }
            // The lease of a process that does not serve would refuse the next restore.
            let remaining = try await leases()
            #expect(remaining == 0)
        }
        try await presence.enter()
        #expect(try await leases() == 1)
        let now = clock.now
        let error = await #expect(throws: CommandError.self) {
            try await restore(store) { try await StoreOptions.refuseWhileServed(store, now: now) }
        }
        #expect(error?.description.contains("a provider serves from this database") == true)
        #expect(try await store.maintenance.unfinishedRestore() == nil)
        await presence.leave()
        #expect(try await leases() == 0)
        await store.maintenance.close()
    }

    @Test("Attack 107: one process at a time serves from an SQLite file, whatever its directory")
    func lock() throws {
        let path = folder.path("store.sqlite")
        try Data().write(to: URL(filePath: path))
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("link"), withDestinationPath: path)
        let place = ServeConfiguration.Database.sqlite(path: path)
        do {
            guard let lock = try place.lock() else { throw HarnessError("no lock") }
            for other in [place, .sqlite(path: folder.path("link"))] {
                let error = #expect(throws: CommandError.self) { _ = try other.lock() }
                #expect(error?.setting == "database")
            }
            _ = consume lock
        }
        guard let again = try place.lock() else { throw HarnessError("the lock remains") }
        _ = consume again
    }

    @Test("Attack 107: a restore into an SQLite file that is served from another data directory")
    func otherDirectory() async throws {
        let place = try place(.sqlite)
        let store = try await open(place)
        let backup = folder.path("backup")
        try await store.maintenance.backup(to: backup) { _ in }
        await store.maintenance.close()
        let command = try #require(
            try Gatehouse.parseAsRoot([
                "store", "restore", backup, "--data-dir", folder.path("other"), "--database",
                "sqlite:\(folder.path("store.sqlite"))",
            ]) as? StoreRestoreCommand)
        guard let lock = try place.lock() else { throw HarnessError("no lock") }
        let error = await #expect(throws: CommandError.self) { try await command.run() }
        #expect(error?.description.contains("stop it first") == true)
        _ = consume lock
        try await command.run()
    }

    @Test("A restore names a backup or abandons one, and not both")
    func arguments() {
        for words in [["store", "restore"], ["store", "restore", "a.backup", "--abandon"]] {
            #expect(throws: (any Error).self) { try Gatehouse.parseAsRoot(words) }
        }
        #expect(throws: Never.self) {
            try Gatehouse.parseAsRoot(["store", "restore", "--abandon"])
        }
    }

    @Test("Without a restore that was killed, --abandon changes nothing")
    func nothingToAbandon() async throws {
        let (store, data) = (try await open(try place(.sqlite)), folder.path("data"))
        await store.maintenance.close()
        let words = ["store", "restore", "--abandon", "--data-dir", data, "--database"]
        let command = try #require(
            try Gatehouse.parseAsRoot(words + ["sqlite:\(folder.path("store.sqlite"))"])
                as? StoreRestoreCommand)
        try await command.run()
        let missing = try #require(
            try Gatehouse.parseAsRoot(words + ["sqlite:\(folder.path("missing"))"])
                as? StoreRestoreCommand)
        await #expect(throws: CommandError.self) { try await missing.run() }
        #expect(!folder.files.contains("missing"))
    }
}
