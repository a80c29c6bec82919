// SPDX-License-Identifier: Apache-2.0
import Foundation
import GatehouseClient
import GatehouseTesting
import Support
import Testing

/// Another process with the same store was stopped while it had a session's lock. The time limit is
/// the shortest that can be configured.
@Suite("A neighbour that was stopped", .timeLimit(.minutes(5))) struct StoppedNeighbourTests {
    private let provider: InProcessProvider
    private let store = InMemorySecureStore()
    private let keys = InMemoryKeyStore()
    private let client: IdentityClient

    init() async throws {
        provider = try await InProcessProvider()
        var configuration = provider.configuration
        configuration.timeoutSeconds = 1
        client = try IdentityClient(
            configuration: configuration, store: store, keys: keys, transport: provider,
            time: provider.clock)
    }

    /// Runs an operation while another process has the session's lock.
    private func whileHeld(
        _ id: Profile.ID, _ body: () async throws -> Void
    ) async throws {
        let name = try #require(RecordName(rawValue: "session.\(id.rawValue)"))
        let (silence, speaker) = AsyncStream<Void>.makeStream()
        let (isHeld, store) = (Shared(false), store)
        let neighbour = Task {
            try await store.withLock(name) {
                isHeld.withLock { $0 = true }
                for await _ in silence {}
            }
        }
        while !isHeld.withLock({ $0 }) { await Task.yield() }
        let outcome: Result<Void, any Error>
        do { outcome = .success(try await body()) } catch { outcome = .failure(error) }
        speaker.finish()
        try await neighbour.value
        try outcome.get()
    }

    @Test("Nobody waits for it for ever; the session stands, and goes on when it goes on")
    func renewal() async throws {
        let profile = try await client.register(.credential(provider.testKey())).profile
        let session = try await client.signIn(.deviceKey)
        provider.clock.advance(by: .seconds(3700))
        try await whileHeld(profile.id) {
            let start = ContinuousClock.now
            do {
                _ = try await session.accessToken()
                Issue.record("renewed beside it")
            } catch let error as IdentityError {
                #expect(error == .made(.generic, .storageUnavailable) && error.retry == .later)
                #expect(error.reason.contains("was not released within"), "\(error)")
            }
            #expect(ContinuousClock.now - start >= .seconds(3))
        }
        #expect(try await session.accessToken().scopes.contains("openid"))
        #expect(try await client.session() === session)
    }

    @Test("A removal says that it is to be done again, and then is done")
    func removal() async throws {
        let profile = try await client.register(.credential(provider.testKey())).profile
        try await client.signIn(.deviceKey)
        try await whileHeld(profile.id) {
            await #expect(throws: IdentityError.made(.generic, .storageUnavailable)) {
                try await client.remove(profile.id)
            }
        }
        #expect(try await client.profiles == [profile])
        try await client.remove(profile.id)
        #expect(try await client.profiles.isEmpty)
        #expect(try await keys.keyNames().isEmpty)
    }

    @Test("Who is cancelled while they wait is told so at once, and not that it took too long")
    func cancelled() async throws {
        let profile = try await client.register(.credential(provider.testKey())).profile
        let session = try await client.signIn(.deviceKey)
        try await whileHeld(profile.id) {
            let waiter = Task { [client] in try await client.signOut(profile.id, .localOnly) }
            await Task.yield()
            waiter.cancel()
            await #expect(throws: IdentityError.made(.generic, .cancelled)) {
                try await waiter.value
            }
        }
        #expect(try await session.accessToken().scopes.contains("openid"))
    }
}
