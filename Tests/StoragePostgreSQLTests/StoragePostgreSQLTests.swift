// SPDX-License-Identifier: Apache-2.0
import Storage
import StoragePostgreSQL
import StorageSQL
import StorageSQLite
import Support
import Testing

/// Skipped where PostgreSQL 15 is not installed: `Scripts/bootstrap` installs it.
@Suite(.enabled(if: PostgreSQLServer.unavailable == nil, "PostgreSQL 15 is not installed"))
struct PostgreSQLConformanceTests {
    @Test("PostgreSQL does what every engine must do")
    func conforms() async throws {
        let store = try await PostgreSQLStore.open(
            url: PostgreSQLServer.shared().makeDatabase(), connections: 8,
            archives: SQLiteArchive())
        _ = try await store.migrate()
        for conformance in ConformanceCase.all {
            do {
                try await conformance.run(on: store)
            } catch {
                Issue.record("\(conformance): \(error)")
            }
        }
        #expect(try await store.verify().isEmpty)
        await store.close()
    }
}
