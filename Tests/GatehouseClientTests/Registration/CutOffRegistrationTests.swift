// SPDX-License-Identifier: Apache-2.0
import Foundation
import GatehouseClient
import GatehouseTesting
import Storage
import Synchronization
import Testing

/// A person with a PIN registers again, interrupted at each operation of the store.
@Suite("Registrations that are cut off") struct CutOffRegistrationTests {
    private let provider: InProcessProvider
    private let issuer: InProcessProvider.Issued

    init() async throws {
        provider = try await InProcessProvider()
        issuer = try await provider.addIssuer()
        try await provider.change { $0.policy.registration.secondInstallations = true }
    }

    @discardableResult
    private func register(
        _ client: IdentityClient, _ who: String, _ id: UUID, choosing pin: String
    ) async throws -> Profile {
        let flow = client.registration(.credential(try issuer(who)), idempotencyKey: id)
        for try await step in flow {
            switch step {
            case .createPIN(let challenge): try challenge.respond(with: try PIN(pin))
            case .enterPIN(let challenge): try challenge.respond(with: try PIN(pin))
            case .browser, .custom: Issue.record("asked for something else")
            }
        }
        return try await flow.outcome.profile
    }

    @Test(
        "Done again it comes to its end, with one profile whose new PIN opens it", arguments: 0..<30
    )
    func again(_ acts: Int) async throws {
        let (store, keys, id) = (InMemorySecureStore(), InMemoryKeyStore(), UUID())
        let before = try provider.client(store: store, keys: keys)
        let profile = try await register(before, "anna", UUID(), choosing: "24681")
        let dying = try provider.client(store: MortalStore(store, acts: acts), keys: keys)
        _ = try? await register(dying, "anna", id, choosing: "58263")
        let after = try provider.client(store: store, keys: keys)
        let registered = try await register(after, "anna", id, choosing: "58263")
        #expect(registered.id == profile.id)
        #expect(try await after.profiles.map(\.id) == [profile.id])
        try await after.signOut(profile.id)
        let signIn = after.authenticate(profile.id)
        for try await case .enterPIN(let challenge) in signIn {
            #expect(challenge.attempts == nil)
            try challenge.respond(with: try PIN("58263"))
        }
        #expect(try await signIn.outcome.profile.id == profile.id)
        #expect(try await after.pendingRegistrations.isEmpty)
    }
}

/// A store that ends after a number of changes, as if its process had ended.
private final class MortalStore: GatehouseClient.SecureStore {
    private let inner: InMemorySecureStore
    private let acts: Mutex<Int>

    init(_ inner: InMemorySecureStore, acts: Int) {
        self.inner = inner
        self.acts = Mutex(acts)
    }

    private func act() throws {
        let isLeft = acts.withLock { acts in
            acts -= 1
            return acts >= 0
        }
        guard isLeft else { throw StoreError.unavailable("dead") }
    }

    func read(_ name: RecordName) async throws -> [UInt8]? { try await inner.read(name) }

    func write(_ bytes: [UInt8], to name: RecordName) async throws {
        try act()
        try await inner.write(bytes, to: name)
    }

    func remove(_ name: RecordName) async throws {
        try act()
        try await inner.remove(name)
    }

    func names() async throws -> [RecordName] { try await inner.names() }

    func withLock<Value: Sendable>(
        _ name: RecordName, _ body: @Sendable () async throws -> Value
    ) async throws -> Value { try await inner.withLock(name, body) }
}
