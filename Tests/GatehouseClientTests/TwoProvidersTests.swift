// SPDX-License-Identifier: Apache-2.0
import Foundation
import GatehouseClient
import GatehouseTesting
import JOSE
import Testing

/// An app that is pointed at another provider, with the same store: what is one's never reaches the
/// other.
@Suite("One store, two providers") struct TwoProvidersTests {
    private let provider: InProcessProvider
    private let wire: FaultyTransport
    private let elsewhere: FaultyTransport
    private let store = InMemorySecureStore()
    private let keys = InMemoryKeyStore()
    private let client: IdentityClient
    private let other: IdentityClient

    init() async throws {
        provider = try await InProcessProvider()
        wire = FaultyTransport(provider)
        client = try provider.client(store: store, keys: keys, transport: wire)
        elsewhere = FaultyTransport(provider)
        elsewhere.isDown = true
        other = try IdentityClient(
            configuration: ClientConfiguration(
                issuer: "https://login.example", clientID: InProcessProvider.clientID),
            store: store, keys: keys, transport: elsewhere, time: provider.clock)
    }

    @Test("Attack: another provider is told of no profile, and sent nobody's tokens")
    func apart() async throws {
        let profile = try await client.register(.credential(provider.testKey())).profile
        try await client.signIn(.deviceKey)
        #expect(try await other.profiles.isEmpty)
        let none = IdentityError.made(.authentication, .notRegistered)
        await #expect(throws: none) { try await other.session() }
        await #expect(throws: none) { try await other.session(for: profile.id) }
        await #expect(throws: none) { try await other.signIn(.deviceKey) }
        await #expect(throws: none) { try await other.device.session() }
        await #expect(throws: IdentityError.made(.deregistration, .notRegistered)) {
            try await other.remove(profile.id)
        }
        #expect(elsewhere.count("") == 0)
        // What looks like a key that was left behind is the other's.
        _ = try? await other.start()
        #expect(try await keys.keyNames().count == 1)
        #expect(try await client.profiles == [profile])
        #expect(try await client.session().accessToken().scopes.contains("openid"))
    }

    @Test("A registration whose end is not known is brought to it where it was begun")
    func pending() async throws {
        let id = UUID()
        let person = try provider.testKey()
        wire.next("/registration", .answerLost)
        await #expect(throws: IdentityError.made(.registration, .notReachable)) {
            try await client.register(.credential(person), idempotencyKey: id)
        }
        #expect(try await other.pendingRegistrations.isEmpty)
        await #expect(throws: IdentityError.made(.registration, .registrationIDTaken)) {
            try await other.register(.credential(person), idempotencyKey: id)
        }
        #expect(elsewhere.count("") == 0)
        #expect(try await client.pendingRegistrations.map(\.idempotencyKey) == [id])
        try await client.register(.credential(person), idempotencyKey: id)
        #expect(try await client.pendingRegistrations.isEmpty)
    }

    /// Makes the profile one of before, which names no provider.
    private func forgetIssuer() async throws {
        let name = try #require(
            try await store.names().first { $0.rawValue.hasPrefix("profile.") })
        let bytes = try #require(try await store.read(name))
        var record = try JSONParser.parseObject(bytes, maximumBytes: 65_536)
        #expect(record["issuer"]?.string == InProcessProvider.issuer)
        record["issuer"] = nil
        try await store.write(record.bytes, to: name)
    }

    @Test("A record of before, which names no provider, is not whose writes it, but who knows them")
    func before() async throws {
        let profile = try await client.register(.credential(provider.testKey())).profile
        try await forgetIssuer()
        #expect(try await client.profiles == [profile])
        #expect(try await other.profiles == [profile])
        for client in [other, client] {
            try await client.setPreferred(.deviceKey, for: profile.id)
        }
        // A client that cannot send requests has no response.
        await #expect(throws: IdentityError.self) {
            try await other.signIn(.deviceKey, as: profile.id)
        }
        #expect(elsewhere.count("") > 0)
        #expect(try await client.profiles == [profile])
        #expect(try await other.profiles == [profile])
        try await provider.client(store: store, keys: keys).signIn(.deviceKey)
        #expect(try await client.profiles == [profile])
        #expect(try await other.profiles.isEmpty)
    }

    @Test("A renewal shows whose a record of before is")
    func renewed() async throws {
        let profile = try await client.register(.credential(provider.testKey())).profile
        try await client.signIn(.deviceKey)
        try await forgetIssuer()
        let restarted = try provider.client(store: store, keys: keys)
        let session = try await restarted.session()
        #expect(try await other.profiles == [profile])
        try await session.refresh()
        #expect(try await other.profiles.isEmpty)
        #expect(try await restarted.profiles == [profile])
        #expect(try await restarted.session().profile == profile)
    }

    // MARK: Both at work

    private func second() async throws -> InProcessProvider {
        try await InProcessProvider(clock: provider.clock, issuer: "http://localhost:8081")
    }

    /// Names a record as stores of before did, which had one for all providers.
    private func age(_ kind: String, to old: RecordName) async throws {
        let name = try #require(
            try await store.names().first { $0.rawValue.hasPrefix("\(kind).") })
        let bytes = try #require(try await store.read(name))
        try await store.write(bytes, to: old)
        try await store.remove(name)
    }

    @Test("Who signed in last at one provider stays so, whoever signs in at another")
    func current() async throws {
        let last = try await client.register(.credential(provider.testKey())).profile
        provider.clock.advance(by: .seconds(1))
        try await client.register(.credential(provider.testKey()))
        try await client.signIn(.deviceKey, as: last.id)
        let second = try await second()
        let neighbour = try second.client(store: store, keys: keys)
        let theirs = try await neighbour.register(.credential(second.testKey())).profile
        try await neighbour.signIn(.deviceKey)
        let restarted = try provider.client(store: store, keys: keys)
        #expect(try await restarted.session().profile == last)
        #expect(try await neighbour.session().profile == theirs)
        #expect(try await store.kinds().count { $0 == "current" } == 2)
        try await client.eraseLocalState()
        #expect(try await store.names().isEmpty)
    }

    @Test("Who signed in last in a store of before did so at the provider that has them alone")
    func currentOfBefore() async throws {
        let last = try await client.register(.credential(provider.testKey())).profile
        provider.clock.advance(by: .seconds(1))
        let newest = try await client.register(.credential(provider.testKey())).profile
        try await client.signIn(.deviceKey, as: newest.id)
        try await client.signIn(.deviceKey, as: last.id)
        try await age("current", to: RecordName(testing: "current"))
        let second = try await second()
        let neighbour = try second.client(store: store, keys: keys)
        await #expect(throws: IdentityError.made(.authentication, .notRegistered)) {
            try await neighbour.session()
        }
        let restarted = try provider.client(store: store, keys: keys)
        #expect(try await restarted.session().profile == last)
        try await restarted.signIn(.deviceKey, as: newest.id)
        #expect(try await restarted.session().profile == newest)
        try await client.eraseLocalState()
        #expect(try await store.names().isEmpty)
    }

    @Test("Without a network an app starts with what its provider said, also in stores of before")
    func documents() async throws {
        try await client.start()
        let second = try await second()
        let road = FaultyTransport(second)
        try await second.client(store: store, keys: keys, transport: road).start()
        (wire.isDown, road.isDown) = (true, true)
        try await provider.client(store: store, keys: keys, transport: wire).start()
        try await second.client(store: store, keys: keys, transport: road).start()
        #expect(wire.count("/jwks") == 1)
        try await store.forgetProviders()
        wire.isDown = false
        try await provider.client(store: store, keys: keys, transport: wire).start()
        wire.isDown = true
        try await age("provider", to: RecordName(testing: "provider"))
        try await provider.client(store: store, keys: keys, transport: wire).start()
        await #expect(throws: IdentityError.made(.generic, .notReachable)) {
            try await second.client(store: store, keys: keys, transport: road).start()
        }
        try await client.eraseLocalState()
        #expect(try await store.names().isEmpty)
    }
}
