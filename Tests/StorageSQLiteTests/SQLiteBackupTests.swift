// SPDX-License-Identifier: Apache-2.0
import Foundation
import Primitives
import Storage
import StorageSQL
import StorageSQLite
import Support
import Synchronization
import Testing

@Suite struct SQLiteBackupTests {
    private let folder = TestFolder()

    @Test("a backup restores to the same content, over whatever was there")
    func roundTrip() async throws {
        let store = try await SQLiteStore.temporary()
        let f = try await StoreContent.fill(store)
        let before = try await StoreContent(of: store, for: f)
        let last = Mutex(0.0)
        try await store.maintenance.backup(to: folder.path("b")) { part in
            last.withLock { $0 = part }
        }
        #expect(last.withLock { $0 } == 1)
        #expect(folder.files == ["b"])
        let mode = try FileManager.default.attributesOfItem(atPath: folder.path("b"))
        #expect(mode[.posixPermissions] as? Int == 0o600)

        _ = try await StoreContent.fill(store)
        try await store.maintenance.restore(from: folder.path("b")) { _ in }
        #expect(try await StoreContent(of: store, for: f) == before)
        #expect(try await store.maintenance.verify().isEmpty)
        await store.maintenance.close()
    }

    @Test("a backup that is taken while others write is one moment of the store")
    func whileWriting() async throws {
        let store = try await SQLiteStore.temporary()
        let f = try await StoreContent.fill(store)
        let path = folder.path("b")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask { for _ in 0..<50 { _ = try await f.redeemedGrant() } }
            }
            group.addTask { try await store.maintenance.backup(to: path) { _ in } }
            try await group.waitForAll()
        }
        let other = try await SQLiteStore.temporary()
        try await other.maintenance.restore(from: path) { _ in }
        #expect(try await other.maintenance.verify().isEmpty)
        #expect(try await other.people.person(f.person.id) == f.person)
        await store.maintenance.close()
        await other.maintenance.close()
    }

    @Test("A backup replaces an existing file only if that is requested")
    func existing() async throws {
        let store = try await SQLiteStore.temporary()
        let path = folder.path("b")
        try Data("kept".utf8).write(to: URL(filePath: path))
        let error = await #expect(throws: StorageError.self) {
            try await store.maintenance.backup(to: path) { _ in }
        }
        #expect(error?.code == .fileExists)
        #expect(try Data(contentsOf: URL(filePath: path)) == Data("kept".utf8))
        try await store.maintenance.backup(to: path, replacing: true) { _ in }
        try await store.maintenance.restore(from: path) { _ in }
        #expect(folder.files == ["b"])
        await store.maintenance.close()
    }

    @Test("A file that appears while a backup is written is not replaced")
    func appearing() throws {
        let path = folder.path("b")
        #expect(throws: StorageError.self) {
            try SQLiteArchive().create(at: path, replacing: false) { _ in
                try Data("kept".utf8).write(to: URL(filePath: path))
            }
        }
        #expect(try Data(contentsOf: URL(filePath: path)) == Data("kept".utf8))
        #expect(folder.files == ["b"])
    }

    @Test("A killed backup leaves no file of its name, and the next backup removes its remains")
    func killed() async throws {
        let store = try await SQLiteStore.temporary()
        let (path, files) = (folder.path("b"), folder)
        // The remains of a process that was killed: its lock has ended with it.
        try Data("half".utf8).write(to: URL(filePath: "\(path).killed.partial"))
        try SQLiteArchive().create(at: path, replacing: false) { _ in
            let written = files.files
            #expect(written.count == 1 && !written.contains("b") && !written[0].contains("killed"))
            // A concurrent backup does not remove the file of one that is being written.
            #expect(throws: Interrupted.self) {
                try SQLiteArchive().create(at: path, replacing: true) { _ in throw Interrupted() }
            }
            #expect(files.files == written)
        }
        #expect(folder.files == ["b"])
        await store.maintenance.close()
    }

    private struct Interrupted: Error {}

    @Test("what is not a sound backup replaces nothing", arguments: Damage.allCases)
    func damaged(_ damage: Damage) async throws {
        let store = try await SQLiteStore.temporary()
        let f = try await StoreContent.fill(store)
        let before = try await StoreContent(of: store, for: f)
        let path = folder.path("b")
        try await store.maintenance.backup(to: path) { _ in }
        try damage.apply(to: path)
        await #expect(throws: StorageError.self) {
            try await store.maintenance.restore(from: path) { _ in }
        }
        #expect(try await StoreContent(of: store, for: f) == before)
        await store.maintenance.close()
    }

    @Test("a backup to a place that cannot be written leaves nothing behind")
    func noPlace() async throws {
        let store = try await SQLiteStore.temporary()
        await #expect(throws: StorageError.self) {
            try await store.maintenance.backup(to: folder.path("no/such/folder")) { _ in }
        }
        #expect(folder.files.isEmpty)
        await store.maintenance.close()
    }
}

enum Damage: CaseIterable {
    case missing, empty, text, cut, overwritten, otherDatabase, newerSchema, brokenInvariant

    func apply(to path: String) throws {
        let url = URL(fileURLWithPath: path)
        switch self {
        case .missing: try FileManager.default.removeItem(at: url)
        case .empty: try Data().write(to: url)
        case .text: try Data("this is no database, whatever its name says".utf8).write(to: url)
        case .cut:
            let whole = try Data(contentsOf: url)
            try whole.prefix(whole.count / 2).write(to: url)
        case .overwritten:
            var bytes = try Data(contentsOf: url)
            for index in stride(from: 8192, to: bytes.count, by: 4096) {
                bytes.replaceSubrange(index..<index + 64, with: Data(repeating: 0xFF, count: 64))
            }
            try bytes.write(to: url)
        case .otherDatabase:
            try FileManager.default.removeItem(at: url)
            try run("CREATE TABLE guests (name TEXT)", path)
        case .newerSchema: try run("INSERT INTO schema_steps VALUES (9999, 'future')", path)
        case .brokenInvariant: try run("UPDATE people SET disabled = 1", path)
        }
    }

    private func run(_ statement: String, _ path: String) throws {
        try SQLiteArchive.edit(path) { try $0.define(statement) }
    }
}
