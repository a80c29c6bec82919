// SPDX-License-Identifier: Apache-2.0
import GatehouseClient
import GatehouseTesting
import Synchronization
import Testing

/// Who needs a session gets one, and the person is asked at most once for it.
@Suite("A session that is required") struct RequireSessionTests {
    private let provider: InProcessProvider
    private let client: IdentityClient

    init() async throws {
        provider = try await InProcessProvider()
        client = try provider.client()
    }

    @Test("Somebody who is signed in is not asked")
    func signedIn() async throws {
        try await client.register(.credential(provider.testKey()))
        let session = try await client.signIn(.deviceKey)
        let window = Window { _ in Issue.record("asked") }
        #expect(try await client.requireSession(asking: window) === session)
    }

    @Test("Whom the provider takes no longer is asked, by this start of the app and by the next")
    func refused() async throws {
        let (store, keys) = (InMemorySecureStore(), InMemoryKeyStore())
        let provider = provider
        let session = try await provider.client(store: store, keys: keys)
            .signInByBrowser("anna", at: provider)
        let window = Window { client in
            _ = try await client.signInByBrowser("anna", at: provider)
        }
        for times in 1...2 {
            let client = try provider.client(store: store, keys: keys)
            let held = try await client.session()
            try await provider.revokeGrants(of: session.profile.userID)
            provider.clock.advance(by: .seconds(3700))
            if times == 2 { _ = try? await held.accessToken() }
            let signedIn = try await client.requireSession(asking: window)
            #expect(window.asked.count == times)
            #expect(try await signedIn.accessToken().scopes.contains("openid"))
        }
    }

    @Test("Whose tokens are damaged is asked; whose profile is, cannot be helped so")
    func damaged() async throws {
        let (store, keys) = (InMemorySecureStore(), InMemoryKeyStore())
        try await provider.client(store: store, keys: keys)
            .register(.credential(provider.testKey()))
        let before = try provider.client(store: store, keys: keys)
        try await before.signIn(.deviceKey)
        func damage(_ kind: String) async throws {
            for name in try await store.names() where name.rawValue.hasPrefix(kind) {
                try await store.write([1, 2, 3], to: name)
            }
        }
        let window = Window { try await $0.signIn(.deviceKey) }
        try await damage("tokens.")
        let client = try provider.client(store: store, keys: keys)
        let session = try await client.requireSession(asking: window)
        #expect(try await session.accessToken().scopes.contains("openid"))
        #expect(window.asked.count == 1)
        try await damage("profile.")
        await #expect(throws: IdentityError.made(.generic, .storageDamaged)) {
            try await client.requireSession(asking: window)
        }
        #expect(window.asked.count == 1)
    }

    @Test("Without a network nobody is asked: they may be signed in still")
    func offline() async throws {
        let wire = FaultyTransport(provider)
        let client = try provider.client(transport: wire)
        let session = try await client.signInByBrowser("anna", at: provider)
        provider.clock.advance(by: .seconds(3700))
        wire.isDown = true
        let window = Window { _ in Issue.record("asked") }
        #expect(try await client.requireSession(asking: window) === session)
    }

    @Test("Somebody who is signed out is asked once, however many wait, and all get the session")
    func once() async throws {
        let profile = try await client.register(.credential(provider.testKey())).profile
        let window = Window { client in
            // The sign-in starts after all callers wait.
            while await client.waitingForSignIn < 5 { await Task.yield() }
            try await client.signIn(.deviceKey)
        }
        let sessions = try await withThrowingTaskGroup(of: UserSession.self) { [client] group in
            for _ in 0..<5 {
                group.addTask { try await client.requireSession(for: profile.id, asking: window) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(window.asked == [profile])
        #expect(sessions.count == 5 && sessions.allSatisfy { $0 === sessions[0] })
        #expect(await client.waitingForSignIn == 0)
    }

    @Test("Where nobody is registered, whoever registers is who it was asked for")
    func registers() async throws {
        let key = try provider.testKey()
        let window = Window { client in
            try await client.register(.credential(key))
            try await client.signIn(.deviceKey)
        }
        let session = try await client.requireSession(asking: window)
        #expect(window.asked == [nil])
        #expect(try await client.profiles.map(\.id) == [session.profile.id])
    }

    @Test("Who will not sign in has no session, and is asked again the next time")
    func refuses() async throws {
        let profile = try await client.register(.credential(provider.testKey())).profile
        let window = Window { _ in throw Window.Closed() }
        for _ in 0..<2 {
            await #expect(throws: Window.Closed.self) {
                try await client.requireSession(for: profile.id, asking: window)
            }
        }
        #expect(window.asked == [profile, profile])
    }

    @Test("A window that comes back with nobody signed in is no session")
    func nobody() async throws {
        let profile = try await client.register(.credential(provider.testKey())).profile
        await #expect(throws: IdentityError.made(.authentication, .notSignedIn)) {
            try await client.requireSession(for: profile.id, asking: Window { _ in })
        }
    }

    @Test("When nobody waits any more, what asks is cancelled")
    func cancelled() async throws {
        let profile = try await client.register(.credential(provider.testKey())).profile
        let window = Window { _ in
            while true {
                try Task.checkCancellation()
                await Task.yield()
            }
        }
        let waiters = (0..<2).map { [client] _ in
            Task { try await client.requireSession(for: profile.id, asking: window) }
        }
        while await client.waitingForSignIn < 2 { await Task.yield() }
        waiters[0].cancel()
        while await client.waitingForSignIn > 1 { await Task.yield() }
        // One waits still, so the window is open.
        #expect(window.ended == 0)
        waiters[1].cancel()
        for waiter in waiters {
            await #expect(throws: CancellationError.self) { try await waiter.value }
        }
        while window.ended == 0 { await Task.yield() }
        #expect(window.asked.count == 1)
    }

    @Test(
        "One of several who is cancelled leaves at once; the others wait on",
        .timeLimit(.minutes(1)))
    func leaves() async throws {
        let profile = try await client.register(.credential(provider.testKey())).profile
        let gate = Gate()
        let window = Window { client in
            await gate.pass()
            try await client.signIn(.deviceKey)
        }
        let waiters = (0..<2).map { [client] _ in
            Task { try await client.requireSession(for: profile.id, asking: window) }
        }
        while await client.waitingForSignIn < 2 { await Task.yield() }
        waiters[0].cancel()
        await #expect(throws: CancellationError.self) { try await waiters[0].value }
        #expect(window.ended == 0)
        gate.open()
        #expect(try await waiters[1].value.profile == profile)
        #expect(window.asked.count == 1)
    }

    @Test("Who is meant without a name and with it is one person, and asked once")
    func unnamed() async throws {
        let profile = try await client.register(.credential(provider.testKey())).profile
        let window = Window { client in
            while await client.waitingForSignIn < 3 { await Task.yield() }
            try await client.signIn(.deviceKey)
        }
        let sessions = try await withThrowingTaskGroup(of: UserSession.self) { [client] group in
            for id in [nil, profile.id, nil] {
                group.addTask { try await client.requireSession(for: id, asking: window) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(window.asked == [profile])
        #expect(sessions.allSatisfy { $0 === sessions[0] })
    }

    @Test("Who comes while somebody new registers waits for them, and opens no second window")
    func newcomer() async throws {
        let key = try provider.testKey()
        let second = Mutex<Task<UserSession, any Error>?>(nil)
        let stranger = Window { _ in Issue.record("asked twice") }
        let window = Window { client in
            try await client.register(.credential(key))
            try await client.signOut(client.profiles[0].id, .localOnly)
            second.withLock { $0 = Task { try await client.requireSession(asking: stranger) } }
            while await client.waitingForSignIn < 2 { await Task.yield() }
            try await client.signIn(.deviceKey)
        }
        let session = try await client.requireSession(asking: window)
        let waiting = second.withLock { $0 }
        let same = try await waiting?.value
        #expect(same === session)
    }

    @Test("A window that is being closed keeps nobody who comes then, and ends nobody's else")
    func closing() async throws {
        let profile = try await client.register(.credential(provider.testKey())).profile
        let (slow, second) = (Gate(), Gate())
        let closing = Window { _ in await slow.pass() }
        let first = Task { [client] in
            try await client.requireSession(for: profile.id, asking: closing)
        }
        while closing.asked.isEmpty { await Task.yield() }
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        let window = Window { client in
            await second.pass()
            try await client.signIn(.deviceKey)
        }
        let waiters = (0..<2).map { [client] _ in
            Task { try await client.requireSession(for: profile.id, asking: window) }
        }
        while await client.waitingForSignIn < 2 { await Task.yield() }
        slow.open()
        while closing.ended == 0 { await Task.yield() }
        second.open()
        for waiter in waiters { #expect(try await waiter.value.profile == profile) }
        #expect(closing.asked.count == 1 && window.asked.count == 1)
    }
}

/// Keeps those who come until it is open.
private final class Gate: Sendable {
    private let isOpen = Mutex(false)

    func open() { isOpen.withLock { $0 = true } }
    func pass() async { while !isOpen.withLock({ $0 }) { await Task.yield() } }
}

/// A sign-in screen.
private final class Window: SignInRequesting {
    struct Closed: Error {}

    private let act: @Sendable (IdentityClient) async throws -> Void
    private let state = Mutex((asked: [Profile?](), ended: 0))

    init(_ act: @escaping @Sendable (IdentityClient) async throws -> Void) { self.act = act }

    var asked: [Profile?] { state.withLock { $0.asked } }
    var ended: Int { state.withLock { $0.ended } }

    func requestSignIn(_ profile: Profile?, at client: IdentityClient) async throws {
        state.withLock { $0.asked.append(profile) }
        defer { state.withLock { $0.ended += 1 } }
        try await act(client)
    }
}
