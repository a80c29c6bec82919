// SPDX-License-Identifier: Apache-2.0
import Foundation
import GatehouseClient
import GatehouseTesting
import Synchronization
import Testing

/// A person with a profile signs in with a page again, and their tokens get another key. After each
/// error, the profile names keys that exist.
@Suite("Signing in again with a page") struct SecondSignInTests {
    private let provider: InProcessProvider
    private let store = BreakingStore()
    private let keys = BreakingKeyStore()

    init() async throws { provider = try await InProcessProvider() }

    private func signIn(_ client: IdentityClient) async throws -> UserSession {
        try await client.signIn(with: try await ScriptedBrowser("anna", at: provider))
    }

    private func client() throws -> IdentityClient {
        try provider.client(store: store, keys: keys)
    }

    @Test("The last key is kept beside the first, and none between them")
    func keepsTwo() async throws {
        for _ in 0..<4 { _ = try await signIn(client()) }
        #expect(try await client().profiles.count == 1)
        #expect(try await keys.keyNames().count == 2)
    }

    @Test("Ended when the old key is gone: the session renews itself with the new one")
    func endedAfterRemoval() async throws {
        for _ in 0..<2 { _ = try await signIn(client()) }
        keys.endsAfterRemoval.withLock { $0 = true }
        _ = try? await signIn(client())
        keys.endsAfterRemoval.withLock { $0 = false }
        provider.clock.advance(by: .seconds(3700))
        #expect(try await client().session().accessToken().scopes.contains("openid"))
    }

    @Test("Tokens that cannot be kept: nothing is damaged, and the next sign-in is whole")
    func tokensNotKept() async throws {
        for _ in 0..<2 { _ = try await signIn(client()) }
        store.breaksAfterProfile.withLock { $0 = true }
        await #expect(throws: IdentityError.self) { _ = try await signIn(client()) }
        store.breaksAfterProfile.withLock { $0 = false }
        store.isBroken.withLock { $0 = false }
        provider.clock.advance(by: .seconds(3700))
        await #expect(throws: IdentityError.made(.authentication, .notSignedIn)) {
            try await client().session().accessToken()
        }
        _ = try await signIn(client())
        provider.clock.advance(by: .seconds(3700))
        #expect(try await client().session().accessToken().scopes.contains("openid"))
    }
}

/// Ends, as an app that is killed, when a key was removed.
private final class BreakingKeyStore: KeyStore {
    private struct Ended: Error {}

    private let inner = InMemoryKeyStore()
    let endsAfterRemoval = Mutex(false)

    func makeKey(_ name: RecordName) async throws -> any StoredKey {
        try await inner.makeKey(name)
    }

    func key(_ name: RecordName) async throws -> (any StoredKey)? { try await inner.key(name) }
    func keyNames() async throws -> [RecordName] { try await inner.keyNames() }

    func removeKey(_ name: RecordName) async throws {
        try await inner.removeKey(name)
        if endsAfterRemoval.withLock({ $0 }) { throw Ended() }
    }
}

/// Makes no locks any more once a profile was written.
private final class BreakingStore: SecureStore {
    private let inner = InMemorySecureStore()
    let breaksAfterProfile = Mutex(false)
    let isBroken = Mutex(false)

    func read(_ name: RecordName) async throws -> [UInt8]? { try await inner.read(name) }

    func write(_ bytes: [UInt8], to name: RecordName) async throws {
        try await inner.write(bytes, to: name)
        if name.rawValue.hasPrefix("profile."), breaksAfterProfile.withLock({ $0 }) {
            isBroken.withLock { $0 = true }
        }
    }

    func remove(_ name: RecordName) async throws { try await inner.remove(name) }
    func names() async throws -> [RecordName] { try await inner.names() }

    func withLock<Value: Sendable>(
        _ name: RecordName, _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
        if isBroken.withLock({ $0 }) { throw StoreError.unavailable("full") }
        return try await inner.withLock(name, body)
    }
}
