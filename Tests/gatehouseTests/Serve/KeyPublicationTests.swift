// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives
import ProviderAdministration
import ProviderCore
import ProviderSupport
import Storage
import StorageSQLite
import Support
import Testing

@testable import gatehouse

/// A key is published before it signs, and ends at its time, on both engines.
@Suite struct KeyPublicationTests {
    enum Engine: CaseIterable, Sendable {
        case sqlite, postgres

        /// PostgreSQL if it is installed.
        static let installed = PostgreSQLServer.unavailable == nil ? allCases : [.sqlite]

        func store() async throws -> any ProviderStore {
            switch self {
            case .sqlite: return try await SQLiteStore.temporary()
            case .postgres:
                let url = try PostgreSQLServer.shared().makeDatabase().revealText()
                return try await StoreFactory.open(
                    .postgres(url: url), migrating: true, connections: 4)
            }
        }
    }

    /// Processes that share a store, and a project with its first keys.
    private struct Processes {
        let clock = ManualClock()
        let first: Provider
        let second: Provider
        let tenant: Tenant

        init(_ engine: Engine) async throws {
            let store = try await engine.store()
            first = try await TestProvider.empty(store: store, clock: clock)
            second = try await TestProvider.empty(store: store, clock: clock)
            let project = Project.new("qa", at: first)
            #expect(try await store.projects.add(project))
            tenant = Tenant(project: project, issuer: first.issuer)
            _ = try await first.keys.signer(for: tenant)
        }

        func kids(
            _ state: SigningKey.State, _ algorithm: JWSAlgorithm = .es256
        ) async throws -> [String] {
            try await first.store.signingKeys.signingKeys(of: tenant.project.id)
                .filter { $0.state == state && $0.algorithm == algorithm.rawValue }.map(\.kid)
        }

        func published(_ provider: Provider) async throws -> [String] {
            try await provider.keys.publishedKeys(of: tenant).keys
                .compactMap(\.parameters.keyID)
        }

        func close() async { await first.store.maintenance.close() }
    }

    private func almost(_ span: TimeSpan) -> TimeSpan { .seconds(span.seconds - 1) }

    @Test(
        "On the first day of a project the first key of each algorithm signs at once",
        arguments: Engine.installed)
    func firstDay(_ engine: Engine) async throws {
        let processes = try await Processes(engine)
        processes.clock.advance(by: almost(KeyRing.publication))
        let signer = try await processes.first.keys.signer(for: processes.tenant, algorithm: .rs256)
        #expect(signer.algorithm == .rs256)
        #expect(try await processes.kids(.active, .rs256).first == signer.keyID)
        #expect(try await processes.kids(.next, .rs256).count == 1)
        await processes.close()
    }

    @Test(
        "The first key of a further algorithm signs at once, in each process, after the first day too",
        arguments: Engine.installed)
    func furtherAlgorithm(_ engine: Engine) async throws {
        let processes = try await Processes(engine)
        processes.clock.advance(by: KeyRing.publication)
        let (first, second, tenant) = (processes.first, processes.second, processes.tenant)
        async let one = first.keys.signer(for: tenant, algorithm: .rs256)
        async let two = second.keys.signer(for: tenant, algorithm: .rs256)
        let kids = try await [one, two].map(\.keyID)
        #expect(Set(kids).count == 1)
        #expect(try await processes.kids(.active, .rs256) == [try #require(kids[0])])
        #expect(try await processes.kids(.next, .rs256).count == 1)
        for provider in [first, second] {
            #expect(try await processes.published(provider).contains(try #require(kids[0])))
        }
        await processes.close()
    }

    @Test(
        "A client that is saved for a further algorithm has its key published from then on",
        arguments: Engine.installed)
    func announced(_ engine: Engine) async throws {
        let processes = try await Processes(engine)
        let state = """
            {"projects":[{"name":"qa","clients":[{"client_id":"shop",
            "redirect_uris":["https://shop.example/"],"token_endpoint_auth_method":"none",
            "id_token_signed_response_alg":"RS256"}]}]}
            """
        func apply() async throws {
            let document = try JSONParser.parse(Array(state.utf8), maximumBytes: 10_000)
            let facts = RequestMetadata(now: processes.clock.now, requestID: "r", address: "local")
            _ = try await StateReconciler(processes.first)
                .apply(try StateParser.parse(document), facts: facts).get()
        }
        try await apply()
        // On the first day the first token creates it.
        #expect(try await processes.kids(.next, .rs256) == [])
        processes.clock.advance(by: KeyRing.publication)
        let client = try #require(
            try await processes.first.store.clients.client(
                clientID: "shop", in: processes.tenant.project.id))
        try await processes.first.store.clients.remove(client: client.id)
        try await apply()
        let published = try await processes.kids(.active, .rs256)
        #expect(published.count == 1)
        #expect(try await processes.kids(.next, .rs256).count == 1)
        let signer = try await processes.second.keys.signer(
            for: processes.tenant, algorithm: .rs256)
        #expect(signer.keyID == published.first)
        await processes.close()
    }

    @Test(
        "A client that was saved on the first day gets its algorithm when a person signs in later",
        arguments: Engine.installed)
    func laterSignIn(_ engine: Engine) async throws {
        let processes = try await Processes(engine)
        processes.clock.advance(by: .days(5))
        let signer = try await processes.first.keys.signer(for: processes.tenant, algorithm: .rs256)
        #expect(signer.algorithm == .rs256)
        await processes.close()
    }

    @Test(
        "Attack 101: a rotation by hand waits until the next key was published for a day, unless at once",
        arguments: Engine.installed)
    func byHand(_ engine: Engine) async throws {
        let processes = try await Processes(engine)
        let (keys, tenant) = (processes.first.keys, processes.tenant)
        // Each JWK set had both keys of the first pair.
        let next = try await processes.kids(.next)
        processes.clock.advance(by: .hours(1))
        #expect(try await keys.rotate(.es256, of: tenant) == .rotated)
        #expect(try await processes.kids(.active) == next)
        let successor = try await processes.kids(.next)
        processes.clock.advance(by: almost(KeyRing.publication))
        let until = processes.clock.now + .seconds(1)
        #expect(try await keys.rotate(.es256, of: tenant) == .tooEarly(until: until))
        #expect(try await processes.kids(.active) == next)
        processes.clock.advance(by: .seconds(1))
        #expect(try await keys.rotate(.es256, of: tenant) == .rotated)
        #expect(try await processes.kids(.active) == successor)
        processes.clock.advance(by: .hours(1))
        #expect(try await keys.rotate(.es256, of: tenant, atOnce: true) == .rotated)
        await processes.close()
    }

    @Test(
        "Of rotations by hand in two processes at once one happens",
        arguments: Engine.installed)
    func race(_ engine: Engine) async throws {
        let processes = try await Processes(engine)
        let (first, second, tenant) = (processes.first, processes.second, processes.tenant)
        processes.clock.advance(by: .days(2))
        async let one = first.keys.rotate(.es256, of: tenant)
        async let two = second.keys.rotate(.es256, of: tenant)
        #expect(try await [one, two].count { $0 == .rotated } == 1)
        #expect(try await processes.kids(.retiring).count == 1)
        await processes.close()
    }

    @Test(
        "Attack 101: a rotated key ends at its time in every process, also if none retires it",
        arguments: Engine.installed)
    func end(_ engine: Engine) async throws {
        let processes = try await Processes(engine)
        let old = try #require(try await processes.kids(.active).first)
        #expect(try await processes.first.keys.rotate(.es256, of: processes.tenant) == .rotated)
        processes.clock.advance(by: almost(KeyRing.retention))
        for provider in [processes.first, processes.second] {
            #expect(try await processes.published(provider).contains(old))
        }
        processes.clock.advance(by: .seconds(1))
        for provider in [processes.first, processes.second] {
            #expect(try await !processes.published(provider).contains(old))
            let document = try await provider.keys.jwks(of: processes.tenant)
            #expect(!String(decoding: document, as: UTF8.self).contains(old))
        }
        #expect(try await processes.kids(.retiring) == [old])
        // Without rotations the schedule still retires.
        #expect(try await SigningKeySchedule(processes.second, every: nil).run() == 1)
        #expect(try await processes.kids(.retiring) == [])
        await processes.close()
    }
}
