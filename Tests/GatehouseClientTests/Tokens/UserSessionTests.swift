// SPDX-License-Identifier: Apache-2.0
import Foundation
import GatehouseClient
import GatehouseTesting
import Support
import Synchronization
import Testing

/// Sessions keep themselves good, and lose nothing.
@Suite("Sessions") struct UserSessionTests {
    private let provider: InProcessProvider
    private let wire: FaultyTransport
    private let store = MoodyStore()
    private let keys = InMemoryKeyStore()
    private let client: IdentityClient
    private let session: UserSession

    init() async throws {
        provider = try await InProcessProvider()
        wire = FaultyTransport(provider)
        client = try provider.client(store: store, keys: keys, transport: wire)
        try await client.register(.credential(provider.testKey()))
        session = try await client.signIn(.deviceKey)
    }

    /// Past the life of an access token, not of the grant.
    private func letExpire() { provider.clock.advance(by: .seconds(3700)) }

    @Test("1,000 who ask for an expired token at once make one call, and get the same token")
    func oneCall() async throws {
        letExpire()
        let before = wire.count("")
        let session = session
        let tokens = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<1000 { group.addTask { try await session.accessToken().reveal() } }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(tokens.count == 1)
        #expect(wire.count("") - before == 1 && wire.count("/token") == 2)
    }

    @Test("A token that is good is from memory: nothing is asked, nothing is read")
    func cached() async throws {
        let before = (wire.count(""), store.reads)
        for _ in 0..<100 { _ = try await session.accessToken() }
        #expect(wire.count("") == before.0 && store.reads == before.1)
    }

    @Test("Who needs a token for longer than it has left gets a new one")
    func validFor() async throws {
        let first = try await session.accessToken()
        let left = first.expiresAt.timeIntervalSince(provider.clock.now)
        let second = try await session.accessToken(validFor: .seconds(left - 1))
        #expect(second == first)
        provider.clock.advance(by: .seconds(2))
        let third = try await session.accessToken(validFor: .seconds(left - 1))
        #expect(third != first && wire.count("/token") == 2)
    }

    @Test("In the last part of its life a token still serves while a new one is fetched, once")
    func renewsAhead() async throws {
        let first = try await session.accessToken()
        let left = first.expiresAt.timeIntervalSince(provider.clock.now)
        provider.clock.advance(by: .seconds(left - 50))
        for _ in 0..<10 { #expect(try await session.accessToken(validFor: .zero) == first) }
        try await eventually("it was renewed") {
            try await session.accessToken(validFor: .zero) != first ? true : nil
        }
        #expect(wire.count("/token") == 2)
    }

    @Test("Two clients of one sealed folder renew once: the second finds what the first has kept")
    func acrossProcesses() async throws {
        let folder = TestFolder()
        let place = folder.path("records")
        let keyPlace = folder.path("keys")
        func open() throws -> IdentityClient {
            try provider.client(
                store: FileSecureStore(directory: place),
                keys: FileKeyStore(directory: keyPlace), transport: wire)
        }
        let first = try open()
        try await first.register(.credential(provider.testKey()))
        let one = try await first.signIn(.deviceKey)
        let other = try await open().session()
        letExpire()
        let before = wire.count("/token")
        async let a = one.accessToken()
        async let b = other.accessToken()
        let tokens = try await [a, b]
        #expect(tokens[0] == tokens[1] && wire.count("/token") - before == 1)
    }

    @Test("A clock that was put back makes a token over, and nothing worse")
    func clockBack() async throws {
        let first = try await session.accessToken()
        provider.clock.advance(by: .seconds(-30))
        #expect(try await session.accessToken() == first)
        provider.clock.advance(by: .seconds(-3600))
        #expect(try await session.accessToken() != first)
        #expect(try await client.session().accessToken().expiresAt < first.expiresAt)
    }

    // MARK: What fails

    @Test("Without a network the session stands, and goes on when there is one")
    func offline() async throws {
        letExpire()
        wire.isDown = true
        await #expect(throws: IdentityError.made(.authentication, .notReachable)) {
            try await session.accessToken()
        }
        wire.isDown = false
        #expect(try await session.accessToken().scopes.contains("openid"))
    }

    @Test("A lost answer to a refresh costs nothing, a minute later: the provider repeats it")
    func lostRefresh() async throws {
        let challenges = wire.count("/sign-in/challenge")
        letExpire()
        wire.next("/token", .answerLost)
        await #expect(throws: IdentityError.self) { try await session.accessToken() }
        provider.clock.advance(by: .seconds(60))
        #expect(try await session.accessToken().scopes.contains("openid"))
        #expect(wire.count("/sign-in/challenge") == challenges)
    }

    @Test("An app that was ended before it could write what a refresh gave goes on, a minute later")
    func endedInRefresh() async throws {
        letExpire()
        let name = try #require(
            try await store.names().first { $0.rawValue.hasPrefix("tokens.") })
        let before = try #require(try await store.read(name))
        try await session.refresh()
        try await store.write(before, to: name)
        provider.clock.advance(by: .seconds(60))
        let challenges = wire.count("/sign-in/challenge")
        let again = try provider.client(store: store, keys: keys, transport: wire)
        for _ in 0..<2 {
            #expect(try await again.session().accessToken().scopes.contains("openid"))
            letExpire()
        }
        #expect(wire.count("/sign-in/challenge") == challenges)
    }

    @Test(
        "A store that cannot be read hides nothing that is known; one that cannot be written loses nothing"
    )
    func moodyStore() async throws {
        letExpire()
        store.fails = [.read, .write]
        let token = try await session.accessToken()
        letExpire()
        #expect(try await session.accessToken() != token)
        store.fails = []
        letExpire()
        _ = try await session.accessToken()
        let again = try provider.client(store: store, keys: keys, transport: wire)
        let calls = wire.count("/token")
        _ = try await again.session().accessToken()
        #expect(wire.count("/token") == calls)
    }

    @Test("A locked store is not a signed-out person")
    func lockedStore() async throws {
        store.fails = [.read]
        let again = try provider.client(store: store, keys: keys, transport: wire)
        await #expect(throws: IdentityError.made(.generic, .protectedDataUnavailable)) {
            try await again.session()
        }
        await #expect(throws: IdentityError.made(.generic, .protectedDataUnavailable)) {
            try await again.profiles
        }
        store.fails = []
        #expect(try await again.session().accessToken().scopes.contains("openid"))
    }

    @Test("Damaged tokens are said to be damaged, and a sign-in replaces them")
    func damaged() async throws {
        let name = try #require(
            try await store.names().first { $0.rawValue.hasPrefix("tokens.") })
        try await store.write([1, 2, 3], to: name)
        let again = try provider.client(store: store, keys: keys, transport: wire)
        do {
            _ = try await again.session()
            Issue.record("there is nothing to read")
        } catch let error as IdentityError {
            #expect(error == .made(.generic, .storageDamaged) && error.retry == .afterSignIn)
            #expect(error.profile == nil && error.reason.contains("a sign-in replaces them"))
        }
        #expect(try await again.signIn(.deviceKey).accessToken().scopes.contains("openid"))
    }

    @Test("A refresh token that was revoked: the key signs in again, and nobody is asked")
    func signsInAgain() async throws {
        try await provider.revokeGrants(of: session.profile.userID)
        letExpire()
        #expect(try await session.accessToken().scopes.contains("registration"))
        #expect(wire.count("/sign-in/challenge") == 2)
    }

    @Test("Refused for good: the person is signed out, and profile and key are kept")
    func refusedForGood() async throws {
        try await provider.removeAllInstallations(of: session.profile.userID)
        letExpire()
        await #expect(throws: IdentityError.made(.authentication, .notSignedIn)) {
            try await session.accessToken()
        }
        #expect(try await client.profiles.count == 1)
        #expect(try await keys.keyNames().count == 1)
    }

    // MARK: Resources

    @Test("Resources are asked with the token, and it goes to nobody without TLS")
    func resources() async throws {
        let url = InProcessProvider.issuer + "/registration/installations"
        let answer = try await session.data(for: ResourceRequest(url))
        #expect(answer.status == 200)
        try await session.refresh()
        var request = ResourceRequest(url)
        try await session.authorize(&request)
        #expect(request.headers.contains { $0.name == "authorization" })
        for address in ["http://example.com/", "ftp://example.com", "example.com"] {
            await #expect(throws: IdentityError.made(.resource, .requestInvalid)) {
                try await session.data(for: ResourceRequest(address))
            }
        }
    }

    @Test("A token for another service is had in exchange, bound to the same key, and used again")
    func exchanges() async throws {
        await #expect(throws: IdentityError.made(.resource, .configurationInvalid)) {
            try await session.exchange(audience: "ledger")
        }
        try await provider.letAppExchange(for: ["ledger"])
        let before = wire.count("/token")
        let token = try await session.exchange(audience: "ledger")
        #expect(token.isBoundToKey && !token.scopes.contains("registration"))
        #expect(try await session.exchange(audience: "ledger") == token)
        #expect(wire.count("/token") - before == 1)
        letExpire()
        #expect(try await session.exchange(audience: "ledger") != token)
        await #expect(throws: IdentityError.made(.resource, .requestInvalid)) {
            try await session.exchange(audience: "another")
        }
        await #expect(throws: IdentityError.made(.resource, .configurationInvalid)) {
            try await session.exchange(audience: "ledger", scopes: ["registration"])
        }
        await #expect(throws: IdentityError.made(.resource, .requestInvalid)) {
            try await session.data(for: ResourceRequest("http://example.com/"), audience: "ledger")
        }
    }

    // MARK: Events and signing out

    @Test("Events go to every reader, and who comes late is told how things stand")
    func events() async throws {
        var late = client.events.makeAsyncIterator()
        let id = session.profile.id
        #expect(await late.next() == .signedIn(id))
        var second = client.events.makeAsyncIterator()
        #expect(await second.next() == .signedIn(id))
        try await client.signOut(id)
        #expect(await late.next() == .signedOut(id, .requested))
        #expect(await second.next() == .signedOut(id, .requested))
        letExpire()
        try await client.signIn(.deviceKey)
        #expect(await late.next() == .signingIn(nil))
        #expect(await late.next() == .signedIn(id))
    }

    @Test(
        "Signing out ends the tokens: at the provider, everywhere, or here alone",
        arguments: [SignOutScope.thisDevice, .everywhere, .localOnly])
    func signsOut(_ scope: SignOutScope) async throws {
        let browser = try provider.client(transport: wire)
        let session = try await browser.signIn(
            with: try await ScriptedBrowser("anna", at: provider))
        var request = ResourceRequest(InProcessProvider.issuer + "/userinfo")
        try await session.authorize(&request)
        #expect(try await browser.signOut(session.profile.id, scope).isComplete)
        let status = try await wire.response(to: request).status
        #expect(status == (scope == .localOnly ? 200 : 401))
        await #expect(throws: IdentityError.made(.authentication, .notSignedIn)) {
            try await browser.session()
        }
        await #expect(throws: IdentityError.made(.authentication, .notSignedIn)) {
            try await session.accessToken()
        }
        #expect(try await browser.profiles.count == 1)
    }

    @Test("Signing out without a network is done here, and says so")
    func signsOutOffline() async throws {
        wire.isDown = true
        guard case .localOnly(let error) = try await client.signOut(session.profile.id) else {
            Issue.record("it cannot know")
            return
        }
        #expect(error.code == .notReachable && error.domain == .signOut)
    }

    @Test("What the provider says of itself is kept: an app starts without a network")
    func startsOffline() async throws {
        #expect(try await client.start().registersApps)
        let again = try provider.client(store: store, keys: keys, transport: wire)
        provider.clock.advance(by: .seconds(90_000))
        wire.isDown = true
        #expect(try await again.start().registersApps)
        await #expect(throws: IdentityError.made(.generic, .notReachable)) {
            try await provider.client(transport: wire).start()
        }
    }
}

/// A store in memory that sometimes does not.
final class MoodyStore: SecureStore {
    enum Act: Hashable { case read, write }

    private let inner = InMemorySecureStore()
    private let state = Mutex((fails: Set<Act>(), reads: 0))

    var fails: Set<Act> {
        get { state.withLock { $0.fails } }
        set { state.withLock { $0.fails = newValue } }
    }
    var reads: Int { state.withLock { $0.reads } }

    private func check(_ act: Act) throws {
        let fails = state.withLock { state in
            if act == .read { state.reads += 1 }
            return state.fails.contains(act)
        }
        guard fails else { return }
        throw act == .read ? StoreError.locked("asleep") : StoreError.unavailable("full")
    }

    func read(_ name: RecordName) async throws -> [UInt8]? {
        try check(.read)
        return try await inner.read(name)
    }

    func write(_ bytes: [UInt8], to name: RecordName) async throws {
        try check(.write)
        try await inner.write(bytes, to: name)
    }

    func remove(_ name: RecordName) async throws { try await inner.remove(name) }
    func names() async throws -> [RecordName] {
        try check(.read)
        return try await inner.names()
    }
    func withLock<Value: Sendable>(
        _ name: RecordName, _ body: @Sendable () async throws -> Value
    ) async throws -> Value { try await inner.withLock(name, body) }
}
