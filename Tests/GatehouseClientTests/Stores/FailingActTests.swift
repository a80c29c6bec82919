// SPDX-License-Identifier: Apache-2.0
import Foundation
import GatehouseClient
import GatehouseTesting
import Support
import Testing

/// One act of the store fails in the middle of something, wherever that is, and the next ones do
/// not: what is done again comes to its end, and nothing is left of the first time.
@Suite("One act of a store that fails", .timeLimit(.minutes(10))) struct FailingActTests {
    private let provider: InProcessProvider
    private let store = InMemorySecureStore()
    private let failing: FailingStore
    private let keys = InMemoryKeyStore()
    private let client: IdentityClient

    init() async throws {
        provider = try await InProcessProvider()
        failing = FailingStore(store)
        client = try provider.client(store: failing, keys: keys)
    }

    /// Whether it failed; it may say so, and nothing worse.
    @discardableResult
    private func attempt(_ spared: Int, _ body: () async throws -> Void) async -> Bool {
        failing.fail(1, after: spared)
        defer { failing.heal() }
        do {
            try await body()
            return false
        } catch let error as IdentityError {
            #expect(error.code == .storageUnavailable && error.retry == .later, "\(error)")
            return true
        } catch {
            Issue.record("\(error)")
            return true
        }
    }

    /// Nothing but what belongs to so many profiles.
    private func expectTidy(profiles: Int, keys most: Int? = nil) async throws {
        try await client.start()
        #expect(try await client.profiles.count == profiles)
        #expect(try await client.pendingRegistrations.isEmpty)
        #expect(try await (profiles...(most ?? profiles)).contains(keys.keyNames().count))
        let names = try await store.names().map(\.rawValue)
        #expect(names.count { $0.hasPrefix("tokens.") } <= profiles, "\(names)")
        #expect(!names.contains { $0.hasPrefix("making.") }, "\(names)")
    }

    @Test("A registration with evidence", arguments: 0..<20)
    func registration(_ spared: Int) async throws {
        let (id, person) = (UUID(), try provider.testKey())
        await attempt(spared) {
            try await client.register(.credential(person), idempotencyKey: id)
        }
        let made = try await client.register(.credential(person), idempotencyKey: id)
        try await expectTidy(profiles: 1)
        let session = try await client.signIn(.deviceKey)
        #expect(session.profile == made.profile)
    }

    @Test("A registration in a browser", arguments: 0..<25)
    func browser(_ spared: Int) async throws {
        let failed = await attempt(spared) {
            _ = try await client.signInByBrowser("anna", at: provider)
        }
        if failed { _ = try await client.signInByBrowser("anna", at: provider) }
        // An existing profile retains its own key in addition to that of its tokens.
        try await expectTidy(profiles: 1, keys: 2)
        #expect(try await client.session().accessToken().isBoundToKey)
    }

    @Test("Another sign-in of the same person in a browser", arguments: 0..<25)
    func secondBrowser(_ spared: Int) async throws {
        let first = try await client.signInByBrowser("anna", at: provider)
        await attempt(spared) { _ = try await client.signInByBrowser("anna", at: provider) }
        #expect(try await client.session().profile == first.profile)
        provider.clock.advance(by: .seconds(3700))
        #expect(try await client.session().accessToken().isBoundToKey)
        let restarted = try provider.client(store: store, keys: keys)
        #expect(try await restarted.session().accessToken().isBoundToKey)
    }

    @Test("A removal", arguments: 0..<20)
    func removal(_ spared: Int) async throws {
        let profile = try await client.register(.credential(provider.testKey())).profile
        try await client.signIn(.deviceKey)
        let failed = await attempt(spared) { try await client.remove(profile.id) }
        if failed { try await client.remove(profile.id) }
        try await expectTidy(profiles: 0)
        let left = try await store.names().map(\.rawValue)
        #expect(!left.contains { $0.hasSuffix(profile.id.rawValue) }, "\(left)")
    }

    @Test("A sign-out", arguments: 0..<15)
    func signOut(_ spared: Int) async throws {
        let profile = try await client.register(.credential(provider.testKey())).profile
        try await client.signIn(.deviceKey)
        let failed = await attempt(spared) { try await client.signOut(profile.id) }
        if failed { try await client.signOut(profile.id) }
        await #expect(throws: IdentityError.made(.authentication, .notSignedIn)) {
            try await client.session()
        }
        #expect(try await !store.names().contains { $0.rawValue.hasPrefix("tokens.") })
    }

    @Test("Erasing", arguments: 0..<20)
    func erase(_ spared: Int) async throws {
        try await client.register(.credential(provider.testKey()))
        try await client.signIn(.deviceKey)
        await attempt(spared) { try await client.eraseLocalState() }
        try await client.eraseLocalState()
        #expect(try await store.names().isEmpty)
        #expect(try await keys.keyNames().isEmpty)
    }
}
