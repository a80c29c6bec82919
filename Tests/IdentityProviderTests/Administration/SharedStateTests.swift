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
            #"{"client_id":"\#($0)","client_name":"\#(name)","redirect_uris":["https://a.example/"],"#
                + #""token_endpoint_auth_method":"none"}"#
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
        _ name: String, at provider: Provider, host: String? = nil, path: String = "state.yaml"
    ) async throws -> ConfiguredStateFile.Outcome {
        try await ConfiguredStateFile(
            provider, path: path, document: document(name),
            host: host ?? (provider === first ? "one" : "two")
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
        let versions = try await store.stateFiles.appliedVersions(of: "state.yaml")
        #expect(Set(versions.map(\.host)) == ["one", "two"])
        #expect(Set(versions.map(\.digest)).count == 1)
    }

    @Test("Of two processes that load different files at once the later one wins as a whole")
    func differentFiles() async throws {
        async let one = reload("a", at: first)
        async let two = reload("b", at: second)
        let counts = try await [changes(one), changes(two)]
        #expect(counts == [Self.clients.count, Self.clients.count])
        let last = try #require(
            try await store.stateFiles.appliedVersions(of: "state.yaml").first)
        #expect(try await names() == [last.host == "one" ? "a" : "b"])
    }

    @Test("Attack 104: a process does not apply a file that is older than that of another host")
    func olderFile() async throws {
        _ = try await reload("a", at: first)
        _ = try await reload("b", at: second)
        // It starts again, with the file that it had; a new host has it too.
        for host in ["one", "three"] {
            let newer = try #require(replaced(try await reload("a", at: first, host: host)))
            #expect(newer.host == "two")
        }
        #expect(try await names() == ["b"])
        // With the newer file it is as the other one.
        #expect(changes(try await reload("b", at: first)) == 0)
        #expect(changes(try await reload("b", at: second)) == 0)
    }

    @Test("A file that was changed on its host is applied, even if it has an earlier content")
    func changedBack() async throws {
        _ = try await reload("a", at: first)
        _ = try await reload("a", at: second)
        _ = try await reload("b", at: first)
        #expect(changes(try await reload("a", at: first)) == Self.clients.count)
        // The other host has not had the version in between.
        #expect(changes(try await reload("a", at: second)) == 0)
        #expect(changes(try await reload("c", at: second)) == Self.clients.count)
        #expect(replaced(try await reload("a", at: first))?.host == "two")
        #expect(try await names() == ["c"])
    }

    @Test("An older file that an operator applies is the newest one from then on")
    func rollback() async throws {
        _ = try await reload("a", at: first)
        _ = try await reload("b", at: second)
        #expect(try await apply("a", at: second) == Self.clients.count)
        #expect(changes(try await reload("a", at: first)) == 0)
        #expect(replaced(try await reload("b", at: second))?.host == "one")
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
