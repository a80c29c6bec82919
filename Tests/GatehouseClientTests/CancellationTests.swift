// SPDX-License-Identifier: Apache-2.0
import Foundation
import GatehouseClient
import GatehouseTesting
import Storage
import Support
import Synchronization
import Testing

/// A ceremony is cancelled during each of its requests, before the request arrives or after the
/// response. It ends at once, and a repetition succeeds.
@Suite("Cancelled in the middle", .timeLimit(.minutes(10))) struct CancellationTests {
    private let provider: InProcessProvider
    private let wire: HeldTransport
    private let store = InMemorySecureStore()
    private let keys = InMemoryKeyStore()
    private let client: IdentityClient
    private let right = "24681"
    private let other = "97135"

    init() async throws {
        provider = try await InProcessProvider()
        wire = HeldTransport(provider)
        client = try provider.client(store: store, keys: keys, transport: wire)
        try await client.start()
    }

    /// Runs it until that request is under way, and cancels it.
    private func cancel(
        at request: Int, _ arrives: Bool, _ body: @escaping @Sendable () async throws -> Void
    ) async {
        let isOver = Shared(false)
        wire.hold(request, arrives)
        let task = Task {
            defer { isOver.withLock { $0 = true } }
            try await body()
        }
        while !wire.isHeld, !isOver.withLock({ $0 }) { await Task.yield() }
        let isHeld = wire.isHeld
        task.cancel()
        do {
            try await task.value
            // There are not so many requests.
            #expect(!isHeld)
        } catch let error as IdentityError {
            #expect(isHeld && error.code == .cancelled, "\(error)")
        } catch { Issue.record("\(error)") }
        wire.letGo()
    }

    private func expectTidy(keys most: Int = 1) async throws {
        try await client.start()
        #expect(try await client.profiles.count == 1)
        #expect(try await client.pendingRegistrations.isEmpty)
        #expect(try await (1...most).contains(keys.keyNames().count))
        #expect(try await !store.names().contains { $0.rawValue.hasPrefix("making.") })
        #expect(try await client.session().accessToken().scopes.contains("openid"))
    }

    // MARK: Without prompts

    @Test("A registration with evidence", arguments: 0..<4, [false, true])
    func registration(_ request: Int, _ arrives: Bool) async throws {
        let (id, person, client) = (UUID(), try provider.testKey(), client)
        await cancel(at: request, arrives) {
            try await client.register(.credential(person), idempotencyKey: id)
        }
        try await client.register(.credential(person), idempotencyKey: id)
        try await client.signIn(.deviceKey)
        try await expectTidy()
    }

    @Test("A sign-in by the key", arguments: 0..<4, [false, true])
    func signIn(_ request: Int, _ arrives: Bool) async throws {
        let client = client
        try await client.register(.credential(provider.testKey()))
        await cancel(at: request, arrives) { try await client.signIn(.deviceKey) }
        try await client.signIn(.deviceKey)
        try await expectTidy()
    }

    // MARK: With prompts

    @Test("A registration in a browser", arguments: 0..<4, [false, true])
    func browser(_ request: Int, _ arrives: Bool) async throws {
        let (client, provider) = (client, provider)
        await cancel(at: request, arrives) {
            _ = try await client.signInByBrowser("anna", at: provider)
        }
        _ = try await client.signInByBrowser("anna", at: provider)
        try await expectTidy(keys: 2)
    }

    private func register(_ person: TestKeyCredentialProvider, _ id: UUID) async throws -> Profile {
        let flow = client.registration(.credential(person), idempotencyKey: id)
        for try await step in flow {
            switch step {
            case .createPIN(let challenge): try challenge.respond(with: try PIN(right))
            case .enterPIN(let challenge): try challenge.respond(with: try PIN(right))
            case .browser, .custom: Issue.record("nobody else is asked")
            }
        }
        return try await flow.outcome.profile
    }

    /// With those PINs, one after the other, and gives what was left each time.
    @discardableResult
    private func authenticate(_ profile: Profile.ID, _ pins: String...) async throws -> [Int?] {
        let flow = client.authenticate(profile)
        var (pins, left) = (pins[...], [Int?]())
        for try await case .enterPIN(let challenge) in flow {
            left.append(challenge.attempts?.remaining)
            let typed = pins.popFirst()
            try challenge.respond(with: try PIN(try #require(typed)))
        }
        _ = try await flow.outcome
        return left
    }

    @Test("A registration with a PIN", arguments: 0..<8, [false, true])
    func registrationWithPIN(_ request: Int, _ arrives: Bool) async throws {
        let (id, person, tests) = (UUID(), try provider.testKey(), self)
        await cancel(at: request, arrives) { _ = try await tests.register(person, id) }
        let profile = try await register(person, id)
        try await expectTidy()
        try await client.signOut(profile.id)
        #expect(try await authenticate(profile.id, right) == [nil])
    }

    @Test(
        "A right PIN that nobody waits for any more is no wrong one", arguments: 0..<5,
        [false, true])
    func authentication(_ request: Int, _ arrives: Bool) async throws {
        let profile = try await register(provider.testKey(), UUID())
        try await client.signOut(profile.id)
        let tests = self
        await cancel(at: request, arrives) {
            try await tests.authenticate(profile.id, tests.right)
        }
        #expect(try await authenticate(profile.id, other, right) == [nil, 4])
        try await expectTidy()
    }

    @Test("A change of PIN ends with one of the two", arguments: 0..<6, [false, true])
    func change(_ request: Int, _ arrives: Bool) async throws {
        let profile = try await register(provider.testKey(), UUID())
        let (client, right, other) = (client, right, other)
        await cancel(at: request, arrives) {
            let flow = client.changePIN(of: profile.id)
            for try await step in flow {
                switch step {
                case .enterPIN(let challenge): try challenge.respond(with: try PIN(right))
                case .createPIN(let challenge): try challenge.respond(with: try PIN(other))
                }
            }
            _ = try await flow.outcome
        }
        try await client.signOut(profile.id)
        try await authenticate(profile.id, right, other)
        try await expectTidy()
    }
}

/// Holds one request until its task is cancelled, before it arrives or when it is answered.
private final class HeldTransport: HTTPTransport {
    private struct State {
        var spared = Int.max
        var arrives = false
        var isHeld = false
    }

    private let inner: any HTTPTransport
    private let state = Mutex(State())

    init(_ inner: any HTTPTransport) { self.inner = inner }

    var isHeld: Bool { state.withLock { $0.isHeld } }

    func hold(_ request: Int, _ arrives: Bool) {
        state.withLock { $0 = State(spared: request, arrives: arrives) }
    }

    func letGo() { state.withLock { $0 = State() } }

    func response(to request: ResourceRequest) async throws -> ResourceResponse {
        let (holds, arrives) = state.withLock { state in
            defer { if state.spared != .max { state.spared -= 1 } }
            return (state.spared == 0, state.arrives)
        }
        guard holds else { return try await inner.response(to: request) }
        if arrives { _ = try await inner.response(to: request) }
        state.withLock { $0.isHeld = true }
        // The stream has no elements: it ends when the task is cancelled.
        let (silence, speaker) = AsyncStream<Void>.makeStream()
        defer { speaker.finish() }
        for await _ in silence {}
        throw CancellationError()
    }
}
