// SPDX-License-Identifier: Apache-2.0
import Primitives
import ProviderAdministration
import ProviderCore
import ProviderSupport
import Storage
import StorageSQLite
import Synchronization
import Testing

/// The operator's tokens of processes that share a store, each with its own data directory.
@Suite struct OperatorTokenTests {
    /// The file of a data directory.
    private final class File: Sendable {
        private let content: Mutex<Secret>

        init(_ text: String) { content = Mutex(Secret(text)) }

        var token: Secret { content.withLock { $0 } }

        func replace(_ token: Secret) { content.withLock { $0 = token } }
    }

    private let store: any ProviderStore
    private let files = [File("gha_a"), File("gha_b")]

    init() async throws { store = try await SQLiteStore.temporary() }

    /// A process starts.
    private func start(_ file: File) async throws -> AdminToken {
        let provider = try await TestProvider.empty(store: store)
        return try await AdminToken(file.token, provider) { file.replace($0) }
    }

    @Test("The token of each process is valid at every process")
    func everywhere() async throws {
        let (a, b) = (try await start(files[0]), try await start(files[1]))
        for process in [a, b] {
            #expect(try await process.matches("gha_a"))
            #expect(try await process.matches("gha_b"))
            #expect(try await !process.matches("gha_c"))
        }
    }

    @Test("A restarted process has the token that it had")
    func restart() async throws {
        for _ in 0..<2 { #expect(try await start(files[0]).matches("gha_a")) }
        #expect(files[0].token == Secret("gha_a"))
    }

    @Test("Attack 94: a rotation revokes the tokens of all processes, and no start brings one back")
    func rotation() async throws {
        let (a, b) = (try await start(files[0]), try await start(files[1]))
        let fresh = try await a.rotate().revealText()
        #expect(files[0].token == Secret(fresh))
        #expect(try await b.matches(fresh))
        for old in ["gha_a", "gha_b"] { #expect(try await !b.matches(old)) }
        // The second process starts with its old file, and gets another token.
        let restarted = try await start(files[1])
        #expect(try await !restarted.matches("gha_b"))
        let replaced = files[1].token.revealText()
        #expect(replaced != "gha_b")
        #expect(try await a.matches(replaced))
        #expect(try await restarted.matches(fresh))
    }
}
