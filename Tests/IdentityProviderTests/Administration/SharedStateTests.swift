// SPDX-License-Identifier: Apache-2.0
import IdentityProvider
import JOSE
import Primitives
import ProviderAdministration
import ProviderCore
import ProviderSettings
import ProviderSupport
import Storage
import StorageSQLite
import Testing

/// State documents at two processes of one database, behind a balancer.
@Suite struct SharedStateTests {
    private let store: any ProviderStore
    private let first: Provider
    private let second: Provider

    init() async throws {
        store = try await SQLiteStore.temporary()
        first = try await TestProvider.empty(store: store)
        second = try await TestProvider.empty(store: store)
        try await ProviderBootstrap.ensureDefaults(first)
    }

    private static let clients = (0..<8).map { "client-\($0)" }

    /// Clients with this name, as a document.
    private func document(_ name: String) throws -> JSONValue {
        let clients = Self.clients.map {
            #"{"client_id":"\#($0)","client_name":"\#(name)","redirect_uris":["https://a.example/"]}"#
        }
        let text =
            #"{"projects":[{"name":"default","clients":[\#(clients.joined(separator: ","))]}]}"#
        return try JSONParser.parse(Array(text.utf8), maximumBytes: 100_000)
    }

    private func facts(_ provider: Provider) -> RequestMetadata {
        RequestMetadata(now: provider.clock.now, requestID: "r", address: "192.0.2.1")
    }

    /// `gatehouse apply`: the number of changes.
    private func apply(_ name: String, at provider: Provider) async throws -> Int {
        let state = try StateParser.parse(document(name))
        return try await StateReconciler(provider).apply(state, facts: facts(provider)).get()
            .count { $0.action != .unchanged }
    }

    /// The start of a process, or SIGHUP.
    private func reload(
        _ name: String, at provider: Provider, path: String = "state.yaml"
    ) async throws -> ConfiguredStateFile.Outcome {
        let process = provider === first ? "one:1" : "two:2"
        return try await ConfiguredStateFile(
            provider, path: path, document: document(name), process: process
        ).apply(facts: facts(provider)).get()
    }

    /// The names of the clients: one if one document was applied as a whole.
    private func names() async throws -> Set<String?> {
        let project = try #require(try await store.projects.project(named: "default"))
        var names: Set<String?> = []
        for id in Self.clients {
            let client = try await store.clients.client(clientID: id, in: project.id)
            names.insert(client?.metadata.clientName)
        }
        return names
    }

    private func changes(_ outcome: ConfiguredStateFile.Outcome) -> Int? {
        guard case .applied(let changes) = outcome else { return nil }
        return changes.count { $0.action != .unchanged }
    }

    private func replaced(_ outcome: ConfiguredStateFile.Outcome) -> AppliedStateFile? {
        guard case .superseded(let version) = outcome else { return nil }
        return version
    }

    // MARK: gatehouse apply

    @Test(
        "Of two applications of one document at two processes one makes the changes, both succeed")
    func sameDocument() async throws {
        async let one = apply("a", at: first)
        async let two = apply("a", at: second)
        let counts = try await [one, two]
        #expect(counts.sorted() == [0, Self.clients.count])
    }

    @Test("Two documents at two processes are applied one after the other, each as a whole")
    func documents() async throws {
        for round in 0..<4 {
            async let one = apply("a\(round)", at: first)
            async let two = apply("b\(round)", at: second)
            let counts = try await [one, two]
            #expect(counts == [Self.clients.count, Self.clients.count])
            #expect(try await names().count == 1)
        }
    }

    // MARK: SIGHUP and start

    @Test("Two processes that load one file at once both succeed, and one makes the changes")
    func sameFile() async throws {
        async let one = reload("a", at: first)
        async let two = reload("a", at: second)
        let counts = try await [changes(one), changes(two)]
        #expect(Set(counts) == [0, Self.clients.count])
        #expect(try await store.stateFiles.appliedVersions(of: "state.yaml").count == 1)
    }

    @Test("Of two processes that load different files at once the later one wins as a whole")
    func differentFiles() async throws {
        async let one = reload("a", at: first)
        async let two = reload("b", at: second)
        let counts = try await [changes(one), changes(two)]
        #expect(counts == [Self.clients.count, Self.clients.count])
        let last = try #require(
            try await store.stateFiles.appliedVersions(of: "state.yaml").first)
        #expect(try await names() == [last.process == "one:1" ? "a" : "b"])
    }

    @Test("A process does not apply a file that another process has replaced by a newer one")
    func olderFile() async throws {
        _ = try await reload("a", at: first)
        _ = try await reload("b", at: second)
        // It starts again, with the file that it had.
        let newer = try #require(replaced(try await reload("a", at: first)))
        #expect(newer.process == "two:2")
        #expect(try await names() == ["b"])
        // With the newer file it is as the other one.
        #expect(changes(try await reload("b", at: first)) == 0)
    }

    @Test("An older file that an operator applies is the newest one from then on")
    func rollback() async throws {
        _ = try await reload("a", at: first)
        _ = try await reload("b", at: second)
        #expect(try await apply("a", at: second) == Self.clients.count)
        #expect(changes(try await reload("a", at: first)) == 0)
        #expect(replaced(try await reload("b", at: second))?.process == "one:1")
        #expect(try await names() == ["a"])
    }

    @Test(
        "The newest file is applied again over other changes, and files of other paths do not count"
    )
    func enforced() async throws {
        _ = try await reload("a", at: first)
        _ = try await reload("b", at: first, path: "other.yaml")
        #expect(changes(try await reload("a", at: first)) == Self.clients.count)
        #expect(try await names() == ["a"])
    }
}
