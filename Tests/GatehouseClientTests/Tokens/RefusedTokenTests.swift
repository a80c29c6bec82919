// SPDX-License-Identifier: Apache-2.0
import Foundation
import GatehouseClient
import GatehouseTesting
import Support
import Synchronization
import Testing

/// Tokens that a service refuses, and people that the provider refuses.
@Suite("Refused tokens") struct RefusedTokenTests {
    private let provider: InProcessProvider

    init() async throws { provider = try await InProcessProvider() }

    /// Past the life of an access token.
    private func letExpire() { provider.clock.advance(by: .seconds(3700)) }

    private static let notSignedIn = IdentityError.made(.authentication, .notSignedIn)

    @Test("Whom the provider has refused is not signed in, and nobody says so, until they sign in")
    func refused() async throws {
        let client = try provider.client()
        let session = try await client.signInByBrowser("anna", at: provider)
        let id = session.profile.id
        var events = client.events.makeAsyncIterator()
        #expect(await events.next() == .signedIn(id))
        try await provider.revokeGrants(of: session.profile.userID)
        letExpire()
        await #expect(throws: Self.notSignedIn) { try await session.accessToken() }
        #expect(await events.next() == .signedOut(id, .refused))
        for _ in 0..<2 {
            await #expect(throws: Self.notSignedIn) { try await client.session(for: id) }
        }
        #expect(try await client.profiles.map(\.id) == [id])
        _ = try await client.signInByBrowser("anna", at: provider)
        #expect(await events.next() == .signingIn(nil))
        #expect(await events.next() == .signedIn(id))
        #expect(try await client.session().accessToken().scopes.contains("openid"))
    }

    @Test("Signed in by another process, they are signed in here")
    func elsewhere() async throws {
        let (store, keys) = (InMemorySecureStore(), InMemoryKeyStore())
        let client = try provider.client(store: store, keys: keys)
        let session = try await client.signInByBrowser("anna", at: provider)
        try await provider.revokeGrants(of: session.profile.userID)
        letExpire()
        await #expect(throws: Self.notSignedIn) { try await session.accessToken() }
        let other = try provider.client(store: store, keys: keys)
        try await other.signOut(session.profile.id)
        _ = try await other.signInByBrowser("anna", at: provider)
        #expect(try await client.session().accessToken() == other.session().accessToken())
    }

    @Test("A sign-in that comes to nothing is told, and why")
    func failed() async throws {
        let client = try provider.client()
        var events = client.events.makeAsyncIterator()
        await #expect(throws: IdentityError.made(.authentication, .notRegistered)) {
            try await client.signIn(.deviceKey)
        }
        #expect(await events.next() == .signingIn(nil))
        #expect(await events.next() == .signInFailed(nil, .notRegistered))
    }

    // MARK: By others

    @Test("A device's token that a resource does not take is replaced once")
    func device() async throws {
        try await provider.letDevices(have: ["catalogue"])
        let resource = PickyResource(provider)
        let client = try provider.client(transport: resource)
        try await client.register(.credential(provider.testKey()))
        let session = try await client.device.session(scopes: ["catalogue"])
        let request = ResourceRequest("https://api.example/catalogue")
        #expect(try await session.data(for: request).status == 200)
        #expect(resource.shown.count == 2 && Set(resource.shown).count == 2)
        #expect(try await session.data(for: request).status == 200)
        #expect(resource.shown.last == resource.shown[1])
    }

    @Test("So is a person's, and all who ask after that show the new one")
    func session() async throws {
        let resource = PickyResource(provider)
        let client = try provider.client(transport: resource)
        try await client.register(.credential(provider.testKey()))
        let session = try await client.signIn(.deviceKey)
        let first = try await session.accessToken()
        let request = ResourceRequest("https://api.example/notes")
        for _ in 0..<2 { #expect(try await session.data(for: request).status == 200) }
        #expect(resource.shown.count == 3 && Set(resource.shown).count == 2)
        #expect(try await session.accessToken() != first)
    }

    @Test("So is one that was exchanged for another service")
    func exchanged() async throws {
        try await provider.letAppExchange(for: ["ledger"])
        let resource = PickyResource(provider)
        let client = try provider.client(transport: resource)
        try await client.register(.credential(provider.testKey()))
        let session = try await client.signIn(.deviceKey)
        let request = ResourceRequest("https://api.example/rows")
        for _ in 0..<2 {
            #expect(try await session.data(for: request, audience: "ledger").status == 200)
        }
        #expect(resource.shown.count == 3 && Set(resource.shown).count == 2)
    }

    @Test("Whoever is removed has no token for another service left")
    func removed() async throws {
        try await provider.letAppExchange(for: ["ledger"])
        let client = try provider.client()
        try await client.register(.credential(provider.testKey()))
        let session = try await client.signIn(.deviceKey)
        _ = try await session.exchange(audience: "ledger")
        try await client.remove(session.profile.id)
        await #expect(throws: IdentityError.made(.resource, .notRegistered)) {
            try await session.exchange(audience: "ledger")
        }
    }

    @Test("What was exchanged while they signed in anew is of before, and is not used again")
    func exchangedMeanwhile() async throws {
        let (isArmed, again) = (Shared(false), Shared<IdentityClient?>(nil))
        let wire = MeddlingTransport(inner: provider) {
            let isMeant = isArmed.withLock { isArmed in
                defer { isArmed = false }
                return isArmed
            }
            if isMeant { try await again.withLock { $0 }?.signIn(.deviceKey) }
        }
        let client = try provider.client(transport: wire)
        again.withLock { $0 = client }
        try await client.register(.credential(provider.testKey()))
        try await provider.letAppExchange(for: ["ledger"])
        let session = try await client.signIn(.deviceKey)
        isArmed.withLock { $0 = true }
        let old = try await session.exchange(audience: "ledger")
        #expect(!isArmed.withLock { $0 })
        let new = try await session.exchange(audience: "ledger")
        #expect(new != old)
        #expect(try await session.exchange(audience: "ledger") == new)
    }

    // MARK: Waiting

    @Test("Who needs more than the provider gives gets what there is, and asks for it once")
    func longerThanLife() async throws {
        let wire = FaultyTransport(provider)
        let client = try provider.client(transport: wire)
        try await client.register(.credential(provider.testKey()))
        let session = try await client.signIn(.deviceKey)
        let first = try await session.accessToken(validFor: .seconds(86_400))
        #expect(try await session.accessToken(validFor: .seconds(86_400)) == first)
        #expect(wire.count("/token") == 1)
        let left = first.expiresAt.timeIntervalSince(provider.clock.now)
        provider.clock.advance(by: .seconds(left / 2 + 1))
        #expect(try await session.accessToken(validFor: .seconds(86_400)) != first)
        #expect(wire.count("/token") == 2)
    }

    @Test(
        "Who is cancelled waits for a renewal no longer; it goes on, and is the others'",
        .timeLimit(.minutes(1)))
    func cancelled() async throws {
        let (isHeld, isReached) = (Shared(false), Shared(false))
        let wire = FaultyTransport(
            MeddlingTransport(inner: provider) {
                isReached.withLock { $0 = true }
                while isHeld.withLock({ $0 }) { await Task.yield() }
            })
        let client = try provider.client(transport: wire)
        try await client.register(.credential(provider.testKey()))
        let session = try await client.signIn(.deviceKey)
        letExpire()
        isReached.withLock { $0 = false }
        isHeld.withLock { $0 = true }
        let before = wire.count("/token")
        let waiter = Task { try await session.accessToken() }
        while !isReached.withLock({ $0 }) { await Task.yield() }
        waiter.cancel()
        await #expect(throws: IdentityError.made(.generic, .cancelled)) {
            try await waiter.value
        }
        isHeld.withLock { $0 = false }
        #expect(try await session.accessToken().scopes.contains("openid"))
        #expect(wire.count("/token") == before + 1)
    }
}

/// A resource that does not take the first token that it is shown.
private final class PickyResource: HTTPTransport {
    private let inner: InProcessProvider
    private let tokens = Mutex<[String]>([])

    init(_ inner: InProcessProvider) { self.inner = inner }

    /// What it was shown, in order.
    var shown: [String] { tokens.withLock { $0 } }

    func response(to request: ResourceRequest) async throws -> ResourceResponse {
        guard request.url.hasPrefix("https://api.example/") else {
            return try await inner.response(to: request)
        }
        let token = request.headers.first { $0.name == "authorization" }?.value ?? ""
        let first = tokens.withLock { tokens in
            tokens.append(token)
            return tokens[0]
        }
        return ResourceResponse(status: token == first ? 401 : 200)
    }
}
