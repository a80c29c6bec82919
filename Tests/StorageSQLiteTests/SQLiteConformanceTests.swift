// SPDX-License-Identifier: Apache-2.0
import Storage
import StorageSQL
import StorageSQLite
import Support
import Testing

@Suite struct SQLiteConformanceTests {
    @Test("SQLite does what every engine must do", arguments: ConformanceCase.all)
    func conforms(_ conformance: ConformanceCase) async throws {
        let store = try await SQLiteStore.temporary()
        try await conformance.run(on: store, try #require(DatabaseStatements(store)))
        #expect(try await store.maintenance.verify().isEmpty)
        await store.maintenance.close()
    }
}
