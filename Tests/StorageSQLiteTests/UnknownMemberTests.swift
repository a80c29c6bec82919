// SPDX-License-Identifier: Apache-2.0
import Storage
import StorageSQL
import StorageSQLite
import Support
import Testing

/// A process keeps what a concurrent newer version has written into a document.
@Suite struct UnknownMemberTests {
    private let folder = TestFolder()

    private func run(_ check: (UnknownMembers) async throws -> Void) async throws {
        let engine = try SQLiteEngine.passing(path: folder.path("store"))
        let store = SQLStore(engine: engine, archives: SQLiteArchive())
        _ = try await store.maintenance.migrate()
        try await check(
            UnknownMembers(
                store, change: { _ = try await engine.change($0) },
                text: { statement in
                    guard case .text(let text)? = try await engine.query(statement).first?.values[0]
                    else { return "" }
                    return text
                }))
        await store.maintenance.close()
    }

    @Test("unknown settings of a project, and of an entry in a list, are preserved by a change")
    func settings() async throws { try await run { try await $0.settings() } }

    @Test("unknown metadata of a client is preserved by a change")
    func clients() async throws { try await run { try await $0.clients() } }

    @Test("unknown claims of a person are preserved by a change and by a change of groups")
    func claims() async throws { try await run { try await $0.claims() } }
}
