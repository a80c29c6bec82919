// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage
import StorageSQL
import StorageSQLite
import Testing

@Suite struct SQLiteStoreTests {
    @Test("a new file has the newest schema and nothing in it")
    func newFile() async throws {
        let store = try await SQLiteStore.temporary()
        let status = try await store.status()
        #expect(status.pendingSteps.isEmpty)
        #expect(status.schemaVersion == status.latestSchemaVersion)
        #expect(status.rows.values.allSatisfy { $0 == 0 })
        #expect(try await store.verify().isEmpty)
        await store.close()
    }
}
