// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CommandLineSupport
import Foundation
import Primitives
import Storage
import StorageSQLite
import Support
import Testing

@testable import gatehouse

@Suite struct StoreOptionsTests {
    @Test("A restore is refused while any process serves, and the refusal names all of them")
    func served() async throws {
        let store = try await SQLiteStore.temporary()
        let now = Timestamp(seconds: 1_800_000_000)
        for (name, byte) in [("a:1", 1), ("b:2", 2)] as [(String, UInt8)] {
            let random = SeededRandom(seed: UInt64(byte))
            try await store.serverLeases.renew(
                ServerLease(
                    id: Identifier(now: now, random: random), name: name,
                    expiresAt: now + .minutes(3)))
        }
        let refusal = await #expect(throws: CommandError.self) {
            try await StoreOptions.refuseWhileServed(store, now: now)
        }
        #expect(refusal?.description.contains("(a:1, b:2)") == true)
        try await StoreOptions.refuseWhileServed(store, now: now + .minutes(3))
    }

    @Test("store commands find the database where serve finds it: in the configuration file")
    func configurationFile() async throws {
        let folder = TestFolder()
        let (data, file) = (folder.path("data"), folder.path("g.yaml"))
        _ = try DataDirectory.open(data)
        let place = ServeConfiguration.Database.sqlite(path: "\(data)/own.sqlite")
        let store = try await StoreFactory.open(place, migrating: true)
        await store.maintenance.close()
        try Data("demo: true\ndata-dir: \(data)\ndatabase: 'sqlite:\(data)/own.sqlite'\n".utf8)
            .write(to: URL(filePath: file))
        let backup = folder.path("a.backup")
        let command = try #require(
            try Gatehouse.parseAsRoot(["store", "backup", backup, "--config", file])
                as? StoreCommand.Backup)
        try await command.run()
        #expect(FileManager.default.fileExists(atPath: backup))
        // The second one needs --replace.
        let refusal = await #expect(throws: CommandError.self) { try await command.run() }
        #expect(refusal?.description.contains("--replace") == true)
        let replacing = try #require(
            try Gatehouse.parseAsRoot(["store", "backup", backup, "--config", file, "--replace"])
                as? StoreCommand.Backup)
        try await replacing.run()
    }
}
