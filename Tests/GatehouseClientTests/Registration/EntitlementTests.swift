// SPDX-License-Identifier: Apache-2.0
import Foundation
import GatehouseClient
import GatehouseTesting
import Testing

/// What an app sees of what its person may do, and how it uses some of it up.
@Suite("Entitlements of an app's person") struct EntitlementTests {
    private let provider: InProcessProvider
    private let wire: FaultyTransport
    private let store = InMemorySecureStore()
    private let keys = InMemoryKeyStore()
    private let client: IdentityClient
    private let user: String

    init() async throws {
        provider = try await InProcessProvider()
        wire = FaultyTransport(provider)
        client = try provider.client(
            store: store, keys: keys, transport: wire, scopes: ["entitlements"])
        user = try await client.register(.credential(provider.testKey())).profile.userID
        try await provider.saveEntitlements(
            ["vaults": .amount(10), "export": .flag(true)], named: "gold")
        try await provider.saveEntitlements(
            ["vaults": .amount(0), "export": .flag(false)], named: "basic")
    }

    private func session() async throws -> GatehouseClient.UserSession {
        try await client.signIn(.deviceKey)
    }

    // MARK: Reading

    @Test("A token says what the set gives, flags and amounts, and over it what is their own")
    func claims() async throws {
        try await provider.assignEntitlements(
            user, set: "gold", own: ["vaults": .amount(25), "beta": .flag(true)])
        let entitlements = try #require(try await session().entitlements())
        #expect(
            entitlements.values == [
                "vaults": .amount(25), "export": .flag(true), "beta": .flag(true),
            ])
        #expect(entitlements.allows("vaults") && entitlements.allows("export"))
        #expect(entitlements.amount("vaults") == 25 && entitlements.amount("export") == nil)
        #expect(!entitlements.allows("nothing") && entitlements.amount("nothing") == nil)
    }

    @Test("An amount of zero, and a flag that is not set, allow nothing")
    func allowsNothing() async throws {
        try await provider.assignEntitlements(user, set: "basic")
        let entitlements = try #require(try await session().entitlements())
        #expect(entitlements.values == ["vaults": .amount(0), "export": .flag(false)])
        #expect(!entitlements.allows("vaults") && !entitlements.allows("export"))
    }

    @Test("Who was given nothing has none; a token without the scope does not say")
    func none() async throws {
        #expect(try await session().entitlements()?.values == [:])
        let other = try provider.client(store: store, keys: keys, transport: wire)
        let session = try await other.signIn(.deviceKey)
        #expect(try await session.entitlements() == nil)
        await #expect(throws: IdentityError.made(.resource, .scopeMissing)) {
            try await session.currentEntitlements()
        }
        await #expect(throws: IdentityError.made(.resource, .scopeMissing)) {
            try await session.consume("sms", idempotencyKey: UUID())
        }
    }

    @Test("The provider's word of the moment: the set, what counts, what is left")
    func current() async throws {
        try await provider.assignEntitlements(user, set: "gold", own: ["beta": .flag(true)])
        try await provider.refill(user, ["sms": 3, "calls": 7])
        let current = try await session().currentEntitlements()
        #expect(current.set == "gold" && current.sequence == nil)
        #expect(current.effective.amount("vaults") == 10 && current.effective.allows("beta"))
        #expect(current.expendable == ["sms": 3, "calls": 7])
    }

    @Test("A sequence says where somebody is in it, and goes on by itself")
    func sequence() async throws {
        try await provider.saveEntitlements(
            inSequence: [.init("gold", lasting: .seconds(7200)), .init("basic")], named: "trial")
        let start = provider.clock.now
        try await provider.assignEntitlements(user, sequence: "trial", own: ["beta": .flag(true)])
        let session = try await session()
        let first = try await session.currentEntitlements()
        let place = try #require(first.sequence)
        #expect(first.set == "gold" && place.name == "trial" && first.effective.allows("export"))
        // The wire has whole seconds.
        #expect(abs(place.startedAt.timeIntervalSince(start)) < 1)
        let change = try #require(place.changesAt)
        #expect(change.timeIntervalSince(place.startedAt) == 7200)
        provider.clock.advance(by: .seconds(7201))
        let second = try await session.currentEntitlements()
        #expect(second.set == "basic" && second.sequence?.changesAt == nil)
        #expect(second.sequence?.name == "trial" && !second.effective.allows("export"))
        #expect(try await session.entitlements()?.values["beta"] == .flag(true))
    }

    // MARK: Updates

    @Test("What was changed shows at once where the provider is asked, and in the next token")
    func updates() async throws {
        try await provider.assignEntitlements(user, set: "basic")
        let session = try await session()
        #expect(try await session.entitlements()?.amount("vaults") == 0)
        try await provider.assignEntitlements(user, set: "gold")
        let before = wire.count("")
        #expect(try await session.entitlements()?.amount("vaults") == 0)
        #expect(wire.count("") == before)
        #expect(try await session.currentEntitlements().effective.amount("vaults") == 10)
        try await session.refresh()
        #expect(try await session.entitlements()?.amount("vaults") == 10)
        try await provider.saveEntitlements(["vaults": .amount(11)], named: "gold")
        provider.clock.advance(by: .seconds(3700))
        #expect(try await session.entitlements()?.values == ["vaults": .amount(11)])
    }

    @Test("Readers of events are told when a newer token says something else, and only then")
    func events() async throws {
        try await provider.assignEntitlements(user, set: "basic")
        let session = try await session()
        var events = client.events.makeAsyncIterator()
        #expect(await events.next() == .signedIn(session.profile.id))
        try await session.refresh()
        try await provider.assignEntitlements(user, set: "gold")
        try await session.refresh()
        #expect(await events.next() == .entitlementsChanged(session.profile.id))
        try await session.refresh()
        try await client.signOut(session.profile.id)
        #expect(await events.next() == .signedOut(session.profile.id, .requested))
    }

    // MARK: Using up

    @Test("Some of it is used up, and what is left is told, here and at the provider")
    func consumes() async throws {
        try await provider.refill(user, ["sms": 5, "calls": 1])
        let session = try await session()
        let first = try await session.consume("sms", idempotencyKey: UUID())
        #expect(first.name == "sms" && first.amount == 1 && first.remaining == 4)
        let second = try await session.consume("sms", amount: 3, idempotencyKey: UUID())
        #expect(second.amount == 3 && second.remaining == 1)
        #expect(try await session.currentEntitlements().expendable == ["sms": 1, "calls": 1])
    }

    @Test(
        "A lost answer uses up nothing twice: the SDK asks once more, and the app may after that",
        arguments: [FaultyTransport.Fault.requestLost, .answerLost], [1, 2])
    func lost(_ fault: FaultyTransport.Fault, _ times: Int) async throws {
        try await provider.refill(user, ["sms": 5])
        let session = try await session()
        let key = UUID()
        for _ in 0..<times { wire.next("/consume", fault) }
        if times == 2 {
            await #expect(throws: IdentityError.made(.resource, .notReachable)) {
                try await session.consume("sms", amount: 2, idempotencyKey: key)
            }
        }
        let used = try await session.consume("sms", amount: 2, idempotencyKey: key)
        #expect(used.amount == 2 && used.remaining == 3)
        #expect(try await session.currentEntitlements().expendable == ["sms": 3])
        #expect(wire.count("/consume") == times + 1)
    }

    @Test("The same use after a restart, and after other uses, gives the first answer")
    func again() async throws {
        try await provider.refill(user, ["sms": 5])
        let key = UUID()
        let used = try await session().consume("sms", idempotencyKey: key)
        let later = try provider.client(
            store: store, keys: keys, transport: wire, scopes: ["entitlements"])
        let session = try await later.session()
        try await session.consume("sms", idempotencyKey: UUID())
        #expect(try await session.consume("sms", idempotencyKey: key) == used)
        #expect(try await session.currentEntitlements().expendable == ["sms": 3])
    }

    @Test("Of eight who want the last three, three get one each")
    func race() async throws {
        try await provider.refill(user, ["sms": 3])
        let session = try await session()
        let outcomes = await withTaskGroup(of: IdentityError.Code?.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    do {
                        try await session.consume("sms", idempotencyKey: UUID())
                        return nil
                    } catch { return (error as? IdentityError)?.code ?? .unknown }
                }
            }
            return await group.reduce(into: [IdentityError.Code?]()) { $0.append($1) }
        }
        #expect(outcomes.count { $0 == nil } == 3)
        #expect(outcomes.count { $0 == .insufficientEntitlements } == 5)
        #expect(try await session.currentEntitlements().expendable == ["sms": 0])
    }

    @Test("More than is left, and what they never had, is refused, and nothing is used up")
    func insufficient() async throws {
        try await provider.refill(user, ["sms": 1])
        let session = try await session()
        for (name, amount) in [("sms", Int64(2)), ("calls", 1)] {
            await #expect(throws: IdentityError.made(.resource, .insufficientEntitlements)) {
                try await session.consume(name, amount: amount, idempotencyKey: UUID())
            }
        }
        #expect(try await session.currentEntitlements().expendable == ["sms": 1])
        let error = IdentityError.made(.resource, .insufficientEntitlements)
        #expect(error.audience == .user && error.retry == .never)
    }

    @Test("A key that stood for another use is refused, and nothing is used up")
    func keyTaken() async throws {
        try await provider.refill(user, ["sms": 5, "calls": 5])
        let session = try await session()
        let key = UUID()
        try await session.consume("sms", idempotencyKey: key)
        for (name, amount) in [("sms", Int64(2)), ("calls", 1)] {
            await #expect(throws: IdentityError.made(.resource, .idempotencyKeyTaken)) {
                try await session.consume(name, amount: amount, idempotencyKey: key)
            }
        }
        #expect(try await session.currentEntitlements().expendable == ["sms": 4, "calls": 5])
        let error = IdentityError.made(.resource, .idempotencyKeyTaken)
        #expect(error.audience == .developer && error.retry == .withOtherInput)
    }

    @Test("No amount, less than none, and no name are a fault of the app", arguments: [0, -1])
    func invalid(_ amount: Int64) async throws {
        try await provider.refill(user, ["sms": 5])
        let session = try await session()
        await #expect(throws: IdentityError.made(.resource, .requestInvalid)) {
            try await session.consume("sms", amount: amount, idempotencyKey: UUID())
        }
        await #expect(throws: IdentityError.made(.resource, .requestInvalid)) {
            try await session.consume("not a name", idempotencyKey: UUID())
        }
        #expect(try await session.currentEntitlements().expendable == ["sms": 5])
    }

    @Test("Without a network nothing is used up, and nobody is signed out")
    func offline() async throws {
        try await provider.refill(user, ["sms": 5])
        let session = try await session()
        wire.isDown = true
        await #expect(throws: IdentityError.made(.resource, .notReachable)) {
            try await session.consume("sms", idempotencyKey: UUID())
        }
        await #expect(throws: IdentityError.made(.resource, .notReachable)) {
            try await session.currentEntitlements()
        }
        // What the token says is known here.
        #expect(try await session.entitlements()?.values == [:])
        wire.isDown = false
        #expect(try await session.currentEntitlements().expendable == ["sms": 5])
    }

    @Test("Somebody else's are not theirs")
    func somebodyElse() async throws {
        try await provider.assignEntitlements(user, set: "gold")
        try await provider.refill(user, ["sms": 5])
        let other = try provider.client(scopes: ["entitlements"])
        try await other.register(.credential(provider.testKey(name: "other")))
        let session = try await other.signIn(.deviceKey)
        let current = try await session.currentEntitlements()
        #expect(current.set == nil && current.effective.values.isEmpty)
        #expect(current.expendable.isEmpty)
        await #expect(throws: IdentityError.made(.resource, .insufficientEntitlements)) {
            try await session.consume("sms", idempotencyKey: UUID())
        }
    }

    @Test("A test key carries a set, from the first token on")
    func ofTestKey() async throws {
        let other = try provider.client(scopes: ["entitlements"])
        try await other.register(.credential(provider.testKey(entitlementSet: "gold")))
        let session = try await other.signIn(.deviceKey)
        #expect(try await session.entitlements()?.amount("vaults") == 10)
        #expect(try await session.currentEntitlements().set == "gold")
    }
}
