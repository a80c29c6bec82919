// SPDX-License-Identifier: Apache-2.0
import GatehouseClient
import GatehouseTesting
import Storage
import Support
import Synchronization
import Testing

/// A profile is removed while its tokens are requested: no record of it returns.
@Suite("Removal against renewal and sign-in") struct RemovalRaceTests {
    enum Leaving: CaseIterable, Sendable {
        case remove, erase

        func callAsFunction(_ profile: Profile, at client: IdentityClient) async throws {
            switch self {
            case .remove: try await client.remove(profile.id)
            case .erase: try await client.eraseLocalState()
            }
        }
    }

    private let provider: InProcessProvider
    private let store = WatchedStore("session.")
    private let keys = InMemoryKeyStore()

    init() async throws { provider = try await InProcessProvider() }

    /// What a store holds of people, but for the mere name of who signed in last.
    private func left() async throws -> [String] {
        let kinds = ["profile.", "tokens.", "room.", "pin."]
        return try await store.names().map(\.rawValue).filter { name in
            kinds.contains { name.hasPrefix($0) }
        }
    }

    @Test(
        "A renewal that is under way ends first, and what it wrote goes with the rest",
        arguments: Leaving.allCases, [true, false])
    func renewal(leaving: Leaving, isOtherProcess: Bool) async throws {
        let removal = Shared<Task<Void, any Error>?>(nil)
        let meddle = Mutex<(@Sendable () async -> Void)?>(nil)
        let isOver = Shared(false)
        let wire = MeddlingTransport(inner: provider) {
            await meddle.withLock { $0.take() }?()
        }
        let client = try provider.client(store: store, keys: keys, transport: wire)
        let profile = try await client.register(.credential(provider.testKey())).profile
        let session = try await client.signIn(.deviceKey)
        let remover =
            isOtherProcess ? try provider.client(store: store, keys: keys) : client
        let store = store
        meddle.withLock { held in
            held = {
                let before = store.asked
                let task = Task {
                    try await leaving(profile, at: remover)
                    isOver.withLock { $0 = true }
                }
                removal.withLock { $0 = task }
                // Either it waits for this renewal, or it has ended without waiting.
                while store.asked == before, !isOver.withLock({ $0 }) { await Task.yield() }
            }
        }
        try await session.refresh()
        let removing = removal.withLock { $0 }
        try await removing?.value
        #expect(isOver.withLock { $0 } == true)
        #expect(try await left() == [])
        #expect(try await keys.keyNames().isEmpty)
        if !isOtherProcess {
            await #expect(throws: IdentityError.made(.authentication, .notRegistered)) {
                try await session.accessToken()
            }
        }
    }

    @Test(
        "Who is removed while they sign in is not signed in, and leaves nothing here",
        arguments: Leaving.allCases)
    func signIn(leaving: Leaving) async throws {
        let meddle = Mutex<(@Sendable () async throws -> Void)?>(nil)
        let wire = MeddlingTransport(inner: provider) {
            try await meddle.withLock { $0.take() }?()
        }
        let client = try provider.client(store: store, keys: keys, transport: wire)
        let profile = try await client.register(.credential(provider.testKey())).profile
        let other = try provider.client(store: store, keys: keys)
        _ = try await other.signIn(.deviceKey)
        meddle.withLock { $0 = { try await leaving(profile, at: other) } }
        await #expect(throws: IdentityError.made(.authentication, .notRegistered)) {
            try await client.signIn(.deviceKey)
        }
        #expect(try await left() == [])
        #expect(try await keys.keyNames().isEmpty)
        await #expect(throws: IdentityError.made(.authentication, .notRegistered)) {
            try await client.session(for: profile.id)
        }
    }

    @Test("Who is registered anew while the provider is told of the removal leaves no key here")
    func registersMeanwhile() async throws {
        let issuer = try await provider.addIssuer()
        try await provider.change { $0.policy.registration.secondInstallations = true }
        let meddle = Mutex<(@Sendable () async throws -> Void)?>(nil)
        let wire = MeddlingTransport(inner: provider, after: "/installations/current") {
            try await meddle.withLock { $0.take() }?()
        }
        let client = try provider.client(store: store, keys: keys, transport: wire)
        let profile = try await client.register(.credential(issuer("anna"))).profile
        let other = try provider.client(store: store, keys: keys)
        let isAnew = Shared(false)
        meddle.withLock { held in
            held = {
                let again = try await other.register(.credential(issuer("anna")))
                isAnew.withLock { $0 = again.profile.id == profile.id }
            }
        }
        #expect(try await client.remove(profile.id).isComplete)
        #expect(isAnew.withLock { $0 } == true)
        #expect(try await left() == [])
        #expect(try await keys.keyNames().isEmpty)
    }

    @Test(
        "Who is signed out while tokens are renewed has none, though these come to their end last",
        .timeLimit(.minutes(1)))
    func signsOut() async throws {
        let store = LingeringStore()
        let client = try provider.client(store: store, keys: keys)
        try await client.register(.credential(provider.testKey()))
        let session = try await client.signIn(.deviceKey)
        store.state.withLock { $0 = .armed }
        let renewal = Task { try await session.refresh() }
        while store.state.withLock({ $0 }) != .lingers { await Task.yield() }
        try await client.signOut(session.profile.id, .localOnly)
        store.state.withLock { $0 = .goesOn }
        let notSignedIn = IdentityError.made(.authentication, .notSignedIn)
        await #expect(throws: notSignedIn) { try await renewal.value }
        await #expect(throws: notSignedIn) { try await session.accessToken() }
        await #expect(throws: notSignedIn) { try await client.session() }
    }

    @Test(
        "Who signs in while a renewal is refused is signed in, though the refusal ends last",
        .timeLimit(.minutes(1)))
    func signsIn() async throws {
        let store = LingeringStore()
        let client = try provider.client(store: store, keys: keys)
        let pin = "24681"
        let flow = client.registration(.credential(try provider.testKey()))
        for try await case .createPIN(let challenge) in flow {
            try challenge.respond(with: try PIN(pin))
        }
        let session = try await flow.outcome.session
        let id = session.profile.id
        var events = client.events.makeAsyncIterator()
        try await provider.revokeGrants(of: session.profile.userID)
        store.state.withLock { $0 = .armed }
        let renewal = Task { try await session.refresh() }
        while store.state.withLock({ $0 }) != .lingers { await Task.yield() }
        let signIn = client.authenticate(id)
        for try await case .enterPIN(let challenge) in signIn {
            try challenge.respond(with: try PIN(pin))
        }
        #expect(try await signIn.outcome === session)
        let token = try await session.accessToken()
        store.state.withLock { $0 = .goesOn }
        try await renewal.value
        #expect(try await session.accessToken() == token)
        try await client.signOut(id, .localOnly)
        var seen: [SessionEvent] = []
        while let event = await events.next() {
            seen.append(event)
            if event == .signedOut(id, .requested) { break }
        }
        #expect(!seen.contains(.signedOut(id, .refused)))
    }
}

/// Delays the next holder of a lock after its release.
private final class LingeringStore: LockingStore {
    enum State { case goesOn, armed, lingers }

    let inner = InMemorySecureStore()
    let state = Mutex(State.goesOn)

    func withLock<Value: Sendable>(
        _ name: RecordName, _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
        do {
            let value = try await inner.withLock(name, body)
            await linger()
            return value
        } catch {
            await linger()
            throw error
        }
    }

    private func linger() async {
        let stays = state.withLock { state in
            guard state == .armed else { return false }
            state = .lingers
            return true
        }
        while stays, state.withLock({ $0 }) == .lingers { await Task.yield() }
    }
}
