// SPDX-License-Identifier: Apache-2.0
import Foundation
import Primitives
import Storage
import StorageSQL
import StorageSQLite
import Support
import Testing

@Suite struct SQLiteStoreTests {
    @Test("temporary stores leave no file of the database that they are copies of")
    func template() async throws {
        let folder = TestFolder()
        for name in ["a", "b"] { try await TemplateDatabase.copy(to: folder.path(name)) }
        #if os(Linux)
            // Of the process's open files, those of the template have no name any more.
            let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
                .compactMap {
                    try? FileManager.default.destinationOfSymbolicLink(
                        atPath: "/proc/self/fd/" + $0)
                }
                .filter { $0.contains("template.sqlite") }
            #expect(!open.isEmpty && open.allSatisfy { $0.hasSuffix(" (deleted)") })
        #endif
        let sizes = try ["a", "b"].map {
            try FileManager.default.attributesOfItem(atPath: folder.path($0))[.size] as? Int
        }
        #expect(sizes[0] == sizes[1] && sizes[0] ?? 0 > 0)
    }

    @Test("a new file has the newest schema and nothing in it")
    func newFile() async throws {
        let store = try await SQLiteStore.temporary()
        let status = try await store.maintenance.status()
        #expect(status.pendingSteps.isEmpty)
        #expect(status.schemaVersion == status.latestSchemaVersion)
        #expect(status.rows.values.allSatisfy { $0 == 0 })
        #expect(try await store.maintenance.verify().isEmpty)
        await store.maintenance.close()
    }
}
