// SPDX-License-Identifier: Apache-2.0
import Foundation
import GatehouseClient
import GatehouseTesting
import Storage
import Testing

/// PINs as an app meets them, against the real provider. What the protocol itself withstands is in
/// `PINTests`.
@Suite(
    "PINs",
    .enabled("the provider has no PINs") {
        try await InProcessProvider().client().start().offersPINs
    })
struct PINFlowTests {
    private let provider: InProcessProvider
    private let wire: FaultyTransport
    private let store = InMemorySecureStore()
    private let keys = InMemoryKeyStore()
    private let client: IdentityClient
    private let right = "24681"
    private let other = "97135"

    init() async throws {
        provider = try await InProcessProvider()
        wire = FaultyTransport(provider)
        client = try provider.client(store: store, keys: keys, transport: wire)
    }

    /// Registers with that PIN, and gives what it came to.
    @discardableResult
    private func register(
        _ person: TestKeyCredentialProvider? = nil, id: UUID = UUID(), pin: String? = nil
    ) async throws -> RegistrationOutcome {
        let flow = client.registration(
            .credential(try person ?? provider.testKey()), idempotencyKey: id)
        for try await step in flow {
            switch step {
            case .createPIN(let challenge): try challenge.respond(with: try PIN(pin ?? right))
            case .enterPIN(let challenge): try challenge.respond(with: try PIN(pin ?? right))
            case .browser, .custom: Issue.record("nobody else is asked")
            }
        }
        return try await flow.outcome
    }

    /// Signs in with those PINs, one after the other, and gives what was left each time.
    @discardableResult
    private func signIn(
        _ profile: Profile.ID, _ pins: String...
    ) async throws -> (session: GatehouseClient.UserSession, remaining: [Int?]) {
        let flow = client.authenticate(profile)
        var pins = pins[...]
        var remaining: [Int?] = []
        for try await case .enterPIN(let challenge) in flow {
            remaining.append(challenge.attempts?.remaining)
            guard let pin = pins.popFirst() else {
                challenge.cancel()
                continue
            }
            try challenge.respond(with: try PIN(pin))
        }
        return (try await flow.outcome, remaining)
    }

    @Test("A person chooses a PIN, is signed in, and signs in with it ever after")
    func registers() async throws {
        let outcome = try await register()
        #expect(outcome.isNewProfile && outcome.profile.hasPIN && !outcome.profile.hasSignInKey)
        #expect(try await outcome.session.accessToken().scopes.contains("openid"))
        #expect(try await client.pendingRegistrations.isEmpty)
        try await client.signOut(outcome.profile.id)
        #expect(try await signIn(outcome.profile.id, right).remaining == [nil])
    }

    @Test("After a restart the PIN still counts; nothing else signs in")
    func signsIn() async throws {
        let profile = try await register().profile
        let again = try provider.client(store: store, keys: keys)
        #expect(try await again.authenticators(of: profile.id) == [.pin])
        await #expect(throws: IdentityError.made(.authentication, .pinRequired)) {
            try await again.signIn(.deviceKey)
        }
        await #expect(throws: IdentityError.made(.authentication, .pinRequired)) {
            try await again.authenticate(profile.id, using: .deviceKey).outcome
        }
        try await signIn(profile.id, right)
    }

    @Test("What the policy refuses is said at once, and the challenge waits on")
    func policy() async throws {
        let flow = client.registration(.credential(try provider.testKey()))
        for try await case .createPIN(let challenge) in flow {
            #expect(challenge.policy.length == 5)
            let refused: [(String, IdentityError.Code)] = [
                ("1234", .pinWrongLength), ("12345", .pinSequence), ("11123", .pinTooManyRepeats),
            ]
            for (typed, code) in refused {
                #expect(throws: IdentityError.made(.pinValidation, code)) {
                    try challenge.respond(with: try PIN(typed))
                }
            }
            #expect(throws: IdentityError.made(.pinValidation, .pinNotDigits)) {
                _ = try PIN("1a")
            }
            try challenge.respond(with: try PIN(right))
            #expect(throws: IdentityError.made(.pinValidation, .challengeAlreadyAnswered)) {
                try challenge.respond(with: try PIN(right))
            }
        }
        #expect(try await flow.outcome.profile.hasPIN)
    }

    @Test("A wrong PIN is asked for again with what is left; a right one clears the count")
    func wrongPIN() async throws {
        let profile = try await register().profile
        #expect(try await signIn(profile.id, other, "11111", right).remaining == [nil, 4, 3])
        #expect(try await signIn(profile.id, other, right).remaining == [nil, 4])
    }

    @Test("The last wrong one locks: the provider signs it, and the profile is wiped")
    func locks() async throws {
        let profile = try await register().profile
        var events = client.events.makeAsyncIterator()
        _ = await events.next()
        await #expect(throws: IdentityError.made(.generic, .profileLocked)) {
            try await signIn(profile.id, other, other, other, other, other)
        }
        #expect(IdentityError.made(.generic, .profileLocked).legacyCode == 9003)
        #expect(try await client.profiles.isEmpty)
        #expect(try await keys.keyNames().isEmpty)
        #expect(try await store.kinds() == ["current", "provider"])
        #expect(await events.next() == .signingIn(profile.id))
        #expect(await events.next() == .profileEnded(profile.id, .profileLocked))
        #expect(await events.next() == .signInFailed(profile.id, .profileLocked))
    }

    @Test("A lost answer to a PIN is not counted; nobody is asked twice")
    func lostAnswer() async throws {
        let profile = try await register().profile
        wire.next("/token", .requestLost)
        #expect(try await signIn(profile.id, other, right).remaining == [nil, 4])
        wire.next("/token", .answerLost)
        #expect(try await signIn(profile.id, other, right).remaining == [nil, 4])
    }

    @Test("A lost answer to a right PIN is asked for once more; nobody is told that it is wrong")
    func lostRightAnswer() async throws {
        let profile = try await register().profile
        let asked = wire.count("/token")
        wire.next("/token", .answerLost)
        let (session, remaining) = try await signIn(profile.id, right)
        #expect(remaining == [nil] && wire.count("/token") - asked == 3)
        #expect(try await session.accessToken().scopes.contains("openid"))
        // Nothing was counted, neither for it nor against it.
        #expect(try await signIn(profile.id, other, right).remaining == [nil, 4])
    }

    @Test("Cancelling counts nothing")
    func cancels() async throws {
        let profile = try await register().profile
        await #expect(throws: IdentityError.made(.generic, .cancelled)) {
            try await signIn(profile.id)
        }
        #expect(try await signIn(profile.id, other, right).remaining == [nil, 4])
    }

    // MARK: Changing

    private func change(
        _ profile: Profile.ID, from old: [String], to new: String
    ) async throws -> [Int?] {
        let flow = client.changePIN(of: profile)
        var old = old[...]
        var remaining: [Int?] = []
        for try await step in flow {
            switch step {
            case .enterPIN(let challenge):
                remaining.append(challenge.attempts?.remaining)
                guard let typed = old.popFirst() else { throw InProcessProvider.Unexpected() }
                try challenge.respond(with: try PIN(typed))
            case .createPIN(let challenge): try challenge.respond(with: try PIN(new))
            }
        }
        _ = try await flow.outcome
        return remaining
    }

    @Test("A changed PIN counts, and the old one no longer")
    func changes() async throws {
        let profile = try await register().profile
        #expect(try await change(profile.id, from: [right], to: other) == [nil])
        #expect(try await signIn(profile.id, right, other).remaining == [nil, 4])
        #expect(try await change(profile.id, from: [right, other], to: right) == [nil, 4])
        try await signIn(profile.id, right)
    }

    @Test(
        "A change that was cut off ends with one PIN that counts, and the SDK knows which",
        arguments: [FaultyTransport.Fault.requestLost, .answerLost], [0, 1])
    func cutOffChange(_ fault: FaultyTransport.Fault, _ skipped: Int) async throws {
        let profile = try await register().profile
        // A first change also commits the first secret: that is not what is cut off here.
        _ = try await change(profile.id, from: [right], to: right)
        // The offer and the commit go to one address; each is sent twice before it is given up.
        for _ in 0..<2 { wire.next("/registration/pin", skipped == 0 ? fault : .requestLost) }
        _ = try? await change(profile.id, from: [right], to: other)
        let again = try provider.client(store: store, keys: keys)
        let flow = again.authenticate(profile.id)
        var pins = [right, other]
        for try await case .enterPIN(let challenge) in flow {
            try challenge.respond(with: try PIN(pins.removeFirst()))
        }
        #expect(try await flow.outcome.profile.id == profile.id)
    }

    @Test("A profile without a PIN has none to change")
    func noPIN() async throws {
        let profile = try await client.register(.credential(provider.testKey())).profile
        await #expect(throws: IdentityError.made(.pinChange, .pinNotSet)) {
            try await client.changePIN(of: profile.id).outcome
        }
        await #expect(throws: IdentityError.made(.authentication, .pinNotSet)) {
            try await client.authenticate(profile.id, using: .pin).outcome
        }
    }

    // MARK: Registering, cut off and again

    @Test(
        "A registration that was cut off comes to its end with the same key, and one PIN",
        arguments: [
            ("/registration", FaultyTransport.Fault.answerLost), ("/registration", .requestLost),
            ("/token", .requestLost), ("/token", .answerLost),
        ])
    func cutOff(_ path: String, _ fault: FaultyTransport.Fault) async throws {
        let id = UUID()
        let person = try provider.testKey()
        for _ in 0..<2 { wire.next(path, fault) }
        _ = try? await register(person, id: id)
        while try await !client.pendingRegistrations.isEmpty {
            _ = try? await register(person, id: id)
        }
        let profile = try #require(try await client.profiles.first)
        #expect(profile.hasPIN)
        try await signIn(profile.id, right)
        #expect(try await keys.keyNames().count == 1)
    }

    @Test("A project that asks for PINs registers nobody without")
    func required() async throws {
        try await provider.change { $0.policy.registration.pin.use = "required" }
        await #expect(throws: IdentityError.made(.registration, .pinRequired)) {
            try await client.register(.credential(provider.testKey()))
        }
        #expect(try await keys.keyNames().isEmpty)
        #expect(try await register().profile.hasPIN)
    }

    @Test("Where there are no PINs nobody is asked for one, and none can be entered")
    func off() async throws {
        try await provider.change { $0.policy.registration.pin.use = "off" }
        let flow = client.registration(.credential(try provider.testKey()))
        for try await step in flow { Issue.record("asked: \(step)") }
        let profile = try await flow.outcome.profile
        #expect(!profile.hasPIN && profile.hasSignInKey)
    }

    // MARK: By the key alone

    @Test("What the project gives out without a PIN is had by the key, and renewed by it")
    func implicit() async throws {
        try await provider.change { $0.policy.registration.pin.implicitScopes = ["entitlements"] }
        let profile = try await register().profile
        let own = try await client.session().accessToken()
        let session = try await client.implicitSession(scopes: ["entitlements"])
        let first = try await session.accessToken()
        #expect(session.profile == profile && first.scopes == ["entitlements"])
        #expect(session.idToken == nil && first.isBoundToKey)
        let answer = try await session.data(
            for: ResourceRequest(InProcessProvider.issuer + "/entitlements"))
        #expect(answer.status == 200)
        provider.clock.advance(by: .seconds(3700))
        #expect(try await session.accessToken() != first)
        // The person's own session is another one.
        #expect(own.scopes.contains("openid") && own != first)
        let kept = try provider.client(store: store, keys: keys)
        #expect(try await kept.session().accessToken().scopes.contains("openid"))
    }

    @Test("More than that asks for the PIN", arguments: [["openid"], ["entitlements", "openid"]])
    func implicitRefused(_ scopes: [String]) async throws {
        try await provider.change { $0.policy.registration.pin.implicitScopes = ["entitlements"] }
        try await register()
        await #expect(throws: IdentityError.made(.authentication, .pinRequired)) {
            try await client.implicitSession(scopes: scopes)
        }
        try await provider.change { $0.policy.registration.pin.implicitScopes = [] }
        await #expect(throws: IdentityError.made(.authentication, .pinRequired)) {
            try await client.implicitSession(scopes: ["entitlements"])
        }
    }

    @Test("A profile that only signed in has no key for that")
    func implicitWithoutKey() async throws {
        let browser = try provider.client(transport: wire)
        try await browser.signIn(with: try await ScriptedBrowser("anna", at: provider))
        await #expect(
            throws: IdentityError.made(.authentication, .authenticatorNotRegistered)
        ) { try await browser.implicitSession(scopes: ["entitlements"]) }
    }

    @Test("An installation that was removed at the provider is wiped here, on its signed word")
    func revoked() async throws {
        let profile = try await register().profile
        try await provider.removeAllInstallations(of: profile.userID)
        await #expect(throws: IdentityError.made(.generic, .deviceRevoked)) {
            try await signIn(profile.id, right)
        }
        #expect(try await client.profiles.isEmpty)
    }
}
