// SPDX-License-Identifier: Apache-2.0
import Foundation
import GatehouseClient
import GatehouseTesting
import Primitives
import Support
import Synchronization
import Testing

/// Two clients of one store, as two processes are, of which one cannot use it now: whatever fails,
/// and whenever, neither loses the session. The person has a PIN, so nothing signs in by itself.
@Suite("Sessions beside a store that fails", .timeLimit(.minutes(10))) struct FailingStoreTests {
    private let provider: InProcessProvider
    private let wire: PlainTransport
    private let store: any GatehouseClient.SecureStore = InMemorySecureStore()
    private let keys = InMemoryKeyStore()
    private let profile: Profile.ID

    init() async throws {
        provider = try await InProcessProvider()
        wire = PlainTransport(provider)
        let client = try provider.client(store: store, keys: keys)
        let flow = client.registration(.credential(try provider.testKey()))
        for try await case .createPIN(let challenge) in flow {
            try challenge.respond(with: try PIN("24681"))
        }
        profile = try await flow.outcome.profile.id
    }

    /// Another process with the same store, or with a copy of its content.
    private func open(
        _ store: (any GatehouseClient.SecureStore)? = nil, isPlain: Bool = false
    ) throws -> IdentityClient {
        try isPlain
            ? plain(store ?? self.store, wire)
            : provider.client(store: store ?? self.store, keys: keys)
    }

    /// An app that proves no key, and asks for nothing that takes one.
    private func plain(
        _ store: any GatehouseClient.SecureStore, _ transport: any HTTPTransport
    ) throws -> IdentityClient {
        var configuration = provider.configuration
        configuration.scopes.removeAll { $0 == ClientConfiguration.registrationScope }
        return try IdentityClient(
            configuration: configuration, store: store, keys: keys, transport: transport,
            time: provider.clock,
            tuning: ClientTuning(stretching: .cheap))
    }

    /// Past the life of an access token, and past the grace of what is bound to nothing.
    private func letExpire() { provider.clock.advance(by: .seconds(3700)) }

    /// A caller that cannot use the store may get an error, but must not be signed out.
    private func ask(_ session: UserSession) async {
        do { _ = try await session.accessToken() } catch let error as IdentityError {
            #expect(error.code == .storageUnavailable, "\(error)")
            #expect(error.retry == .later)
        } catch { Issue.record("\(error)") }
    }

    @Test(
        "Whatever act of one's store fails, both go on, and so does whoever is started anew",
        arguments: 0..<10, [1, 2, .max])
    func everyAct(_ spared: Int, _ failing: Int) async throws {
        let failingStore = FailingStore(store)
        let one = try await open(failingStore).session()
        let other = try await open().session()
        failingStore.fail(failing, after: spared)
        for _ in 0..<3 {
            for _ in 0..<2 {
                letExpire()
                await ask(one)
            }
            letExpire()
            #expect(try await other.accessToken().scopes.contains("openid"))
        }
        letExpire()
        await ask(one)
        letExpire()
        #expect(try await open().session().accessToken().scopes.contains("openid"))
        failingStore.heal()
        letExpire()
        #expect(try await one.accessToken().scopes.contains("openid"))
        #expect(try await other.accessToken() == one.accessToken())
    }

    @Test("What could not be written is written before it is used, and found by the other one")
    func written() async throws {
        let failingStore = FailingStore(store, only: .write)
        let one = try await open(failingStore).session()
        let before = try await one.accessToken()
        failingStore.fail(.max)
        letExpire()
        let renewed = try await one.accessToken()
        #expect(renewed != before)
        // It is one step ahead of the store, and goes no further.
        letExpire()
        await #expect(throws: IdentityError.made(.generic, .storageUnavailable)) {
            try await one.accessToken()
        }
        failingStore.heal()
        let last = try await one.accessToken()
        #expect(try await open().session().accessToken() == last)
    }

    @Test("On a full disk it is the same; the other one has room, and needs nobody")
    func fullDisk() async throws {
        let folder = TestFolder()
        let harmed = HarmedFolder(folder.path("records"))
        let whole = FileSecureStore(
            directory: folder.path("records"), sealedWith: .besideRecords)
        for name in try await store.names() {
            if let bytes = try await store.read(name) { try await whole.write(bytes, to: name) }
        }
        let one = try await open(harmed.store(.besideRecords)).session()
        let other = try await open(whole).session()
        harmed.fill(true)
        for _ in 0..<3 {
            letExpire()
            await ask(one)
            letExpire()
            _ = try await other.accessToken()
        }
        harmed.fill(false)
        letExpire()
        #expect(try await one.accessToken() == other.accessToken())
    }

    @Test("Signed out by the other one, nothing that was not written brings them back")
    func signedOut() async throws {
        let failingStore = FailingStore(store, only: .write)
        let one = try await open(failingStore).session()
        failingStore.fail(.max)
        letExpire()
        _ = try await one.accessToken()
        try await open().signOut(profile, .localOnly)
        failingStore.heal()
        letExpire()
        await #expect(throws: IdentityError.made(.authentication, .notSignedIn)) {
            try await one.accessToken()
        }
        #expect(try await !store.names().contains { $0.rawValue.hasPrefix("tokens.") })
    }

    @Test("A record that was damaged under a running app is replaced by what the app knows")
    func damaged() async throws {
        let one = try await open().session()
        let name = try #require(
            try await store.names().first { $0.rawValue.hasPrefix("tokens.") })
        try await store.write([1, 2, 3], to: name)
        letExpire()
        let token = try await one.accessToken()
        #expect(try await open().session().accessToken() == token)
    }

    @Test("Bound to nothing, tokens are asked for only when the store has shown that it takes them")
    func bearer() async throws {
        let failingStore = FailingStore(store, only: .write)
        // What was read of the provider before, it has not said.
        try await store.forgetProviders()
        let client = try open(failingStore, isPlain: true)
        try await signIn(client)
        let one = try await client.session()
        #expect(try await !one.accessToken().isBoundToKey)
        let other = try await open(isPlain: true).session()
        failingStore.fail(.max)
        let before = wire.tokenRequests
        for _ in 0..<2 {
            letExpire()
            await #expect(throws: IdentityError.made(.generic, .storageUnavailable)) {
                try await one.accessToken()
            }
        }
        #expect(wire.tokenRequests == before)
        _ = try await other.accessToken()
        letExpire()
        _ = try await other.accessToken()
        failingStore.heal()
        letExpire()
        #expect(try await one.accessToken() == other.accessToken())
    }

    @Test("Bound to nothing, they are kept also when the disk fills up while the provider answers")
    func bearerOnTightDisk() async throws {
        try await store.forgetProviders()
        let tight = TightStore(store)
        let isFilling = Mutex(false)
        let meddling = MeddlingTransport(inner: wire) {
            if isFilling.withLock({ $0 }) { try await tight.fillUp() }
        }
        let client = try plain(tight, meddling)
        try await signIn(client)
        let session = try await client.session()
        #expect(try await !session.accessToken().isBoundToKey)
        isFilling.withLock { $0 = true }
        letExpire()
        let renewed = try await session.accessToken()
        // A restarted process continues there, as the one that kept running does.
        let other = try await open(isPlain: true).session()
        #expect(try await other.accessToken() == renewed)
        isFilling.withLock { $0 = false }
        // Another process has used the space that was released.
        try await tight.fillUp()
        letExpire()
        await #expect(throws: IdentityError.made(.generic, .storageUnavailable)) {
            try await session.accessToken()
        }
        tight.empty()
        let last = try await session.accessToken()
        #expect(try await open(isPlain: true).session().accessToken() == last)
        #expect(try await store.names().contains { $0.rawValue.hasPrefix("room.") })
        try await client.signOut(profile, .localOnly)
        #expect(try await !store.names().contains { $0.rawValue.hasPrefix("room.") })
    }

    private func signIn(_ client: IdentityClient) async throws {
        let flow = client.authenticate(profile)
        for try await case .enterPIN(let challenge) in flow {
            try challenge.respond(with: try PIN("24681"))
        }
        _ = try await flow.outcome
    }
}
