// SPDX-License-Identifier: Apache-2.0
import Foundation
import GatehouseClient
import GatehouseTesting
import ProviderCore
import Storage
import Testing

/// Registering with evidence, against the real provider.
@Suite("Registration") struct RegistrationTests {
    private let provider: InProcessProvider
    private let wire: FaultyTransport
    private let store = InMemorySecureStore()
    private let keys = InMemoryKeyStore()
    private let client: IdentityClient

    init() async throws {
        provider = try await InProcessProvider()
        wire = FaultyTransport(provider)
        client = try provider.client(store: store, keys: keys, transport: wire)
    }

    private func people() async throws -> Int {
        let tenant = try #require(try await provider.provider.tenant(named: "default"))
        return try await provider.provider.store.people.people(
            of: tenant.project.id, after: nil, limit: 100
        ).count
    }

    @Test("A test key registers somebody, whom the installation's key then signs in")
    func registers() async throws {
        let registration = try await client.register(.credential(provider.testKey()))
        #expect(registration.isNewProfile && registration.profile.hasSignInKey)
        #expect(registration.profile.username.hasPrefix("test-"))
        let session = try await client.signIn(.deviceKey)
        #expect(session.profile == registration.profile)
        let token = try await session.accessToken()
        #expect(token.isBoundToKey && "\(token)".contains(token.reveal()) == false)
        #expect(session.idToken?.claim("sub", as: String.self) == registration.profile.userID)
        #expect(try await client.pendingRegistrations.isEmpty)
    }

    @Test(
        "A registered issuer's token registers and signs in; attributes never take a claim's place")
    func signedJWT() async throws {
        let issuer = try await provider.addIssuer()
        let registration = try await client.register(.credential(issuer("anna")))
        #expect(registration.method == .signedJWT && registration.profile.username == "anna")
        let session = try await client.signIn(.credential(issuer("anna")))
        #expect(session.profile.id == registration.profile.id)
        await #expect(throws: IdentityError.made(.registration, .alreadyRegistered)) {
            try await client.register(.credential(issuer("anna")))
        }
        await #expect(throws: IdentityError.made(.authentication, .notAuthorized)) {
            try await client.signIn(.credential(issuer("nobody")))
        }
        // The one that is registered, and the one that the newest tokens are bound to.
        #expect(try await keys.keyNames().count == 2)
    }

    @Test("Several people are registered side by side; the last to sign in is the one meant")
    func severalPeople() async throws {
        let anna = try await client.register(.credential(provider.testKey(name: "anna"))).profile
        let bert = try await client.register(.credential(provider.testKey(name: "bert"))).profile
        #expect(Set(try await client.profiles.map(\.id)) == [anna.id, bert.id])
        #expect(try await client.signIn(.deviceKey).profile == bert)
        #expect(try await client.signIn(.deviceKey, as: anna.id).profile == anna)
        #expect(try await client.session().profile == anna)
        try await client.remove(anna.id)
        #expect(try await client.profiles == [bert])
        #expect(try await client.session(for: bert.id).accessToken().scopes.isEmpty == false)
    }

    // MARK: What gets lost

    @Test(
        "Whichever request or answer is lost, the same again comes to one registration",
        arguments: [
            ("/registration/challenge", FaultyTransport.Fault.requestLost),
            ("/registration/challenge", .answerLost), ("/registration", .requestLost),
            ("/registration", .answerLost), ("/.well-known/gatehouse", .answerLost),
            ("/jwks", .requestLost),
        ])
    func lost(_ path: String, _ fault: FaultyTransport.Fault) async throws {
        let id = UUID()
        let person = try provider.testKey()
        wire.next(path, fault)
        await #expect(throws: IdentityError.made(.registration, .notReachable)) {
            do {
                try await client.register(.credential(person), idempotencyKey: id)
            } catch let error as IdentityError {
                throw IdentityError.made(.registration, error.code)
            }
        }
        let registered = try await client.register(.credential(person), idempotencyKey: id)
        #expect(try await people() == 1)
        #expect(try await client.signIn(.deviceKey).profile == registered.profile)
        #expect(try await client.pendingRegistrations.isEmpty)
        #expect(try await keys.keyNames().count == 1)
    }

    @Test("An app that was ended in the middle finds what it had begun, and ends it")
    func restarted() async throws {
        let id = UUID()
        let person = try provider.testKey()
        wire.next("/registration", .answerLost)
        _ = try? await client.register(.credential(person), idempotencyKey: id)
        let again = try provider.client(store: store, keys: keys)
        let pending = try await again.pendingRegistrations
        #expect(pending.map(\.idempotencyKey) == [id] && pending.map(\.method) == [.testKey])
        let registered = try await again.register(.credential(person), idempotencyKey: id)
        #expect(registered.isNewProfile)
        #expect(try await people() == 1)
        #expect(try await again.pendingRegistrations.isEmpty)
    }

    @Test("Done already: the same idempotency key gives the same profile, and asks nobody")
    func doneBefore() async throws {
        let id = UUID()
        let person = try provider.testKey()
        let first = try await client.register(.credential(person), idempotencyKey: id)
        let sent = wire.count("/registration")
        let second = try await client.register(.credential(person), idempotencyKey: id)
        #expect(first.isNewProfile && !second.isNewProfile)
        #expect(second.profile == first.profile && wire.count("/registration") == sent)
        #expect(try await keys.keyNames().count == 1)
        #expect(try await client.pendingRegistrations.isEmpty)
    }

    @Test("Two at once with one idempotency key: the second waits, and gets the first's profile")
    func atOnce() async throws {
        let (id, person) = (UUID(), try provider.testKey())
        let other = try provider.client(store: store, keys: keys, transport: wire)
        async let one = client.register(.credential(person), idempotencyKey: id)
        async let two = other.register(.credential(person), idempotencyKey: id)
        let both = try await [one, two]
        #expect(both[0].profile == both[1].profile)
        #expect(both.count { $0.isNewProfile } == 1 && wire.count("/registration") == 1)
        #expect(try await people() == 1)
        #expect(try await keys.keyNames().count == 1)
        #expect(try await client.pendingRegistrations.isEmpty)
    }

    @Test("An idempotency key is that of one method, and of this installation")
    func taken() async throws {
        let id = UUID()
        let person = try provider.testKey()
        try await client.register(.credential(person), idempotencyKey: id)
        await #expect(throws: IdentityError.made(.registration, .registrationIDTaken)) {
            try await client.register(
                .evidence(.signedJWT) { _ in .token("a.b.c") }, idempotencyKey: id)
        }
        let elsewhere = try provider.client()
        await #expect(throws: IdentityError.made(.registration, .registrationIDTaken)) {
            try await elsewhere.register(.credential(person), idempotencyKey: id)
        }
    }

    @Test("What was refused for certain leaves no key and no record")
    func refused() async throws {
        let request = RegistrationRequest.evidence(.testKey) { _ in .token("no.such.token") }
        await #expect(throws: IdentityError.made(.registration, .notAuthorized)) {
            try await client.register(request)
        }
        #expect(try await keys.keyNames().isEmpty)
        #expect(try await store.kinds() == ["provider"])
    }

    @Test("A method that the project does not offer is said so, with the legacy word beside it")
    func notOffered() async throws {
        let attestor = SoftwareAttestor(.appAttest)
        await #expect(throws: IdentityError.made(.registration, .methodNotSupported)) {
            try await client.register(.attested(by: attestor))
        }
        #expect(attestor.challenges.isEmpty)
    }

    @Test("Evidence is bound to nonce and key; an attestor that cannot is no fault of the person's")
    func attestor() async throws {
        try await provider.change { $0.policy.registration.methods = ["testKey"] }
        let attestor = SoftwareAttestor(.testKey, behaving: .evidence(["token": "x"]))
        await #expect(throws: IdentityError.made(.registration, .notAuthorized)) {
            try await client.register(.attested(by: attestor))
        }
        let challenge = try #require(attestor.challenges.first)
        #expect(challenge.binding.count == 32 && challenge.method == .testKey)
        attestor.behave(.unavailable)
        await #expect(throws: IdentityError.made(.registration, .attestationFailed)) {
            try await client.register(.attested(by: attestor))
        }
        let other = try provider.client(attestor: attestor)
        await #expect(throws: IdentityError.made(.registration, .attestationFailed)) {
            let flow = try other.registrationWithAttestation()
            for try await case .createPIN(let challenge) in flow {
                try challenge.respond(with: try PIN("24681"))
            }
            _ = try await flow.outcome
        }
        #expect(throws: IdentityError.made(.registration, .configurationInvalid)) {
            try client.registrationWithAttestation()
        }
    }

    @Test("A credential in milliseconds is refused with an error that names the unit")
    func milliseconds() async throws {
        let issuer = try await provider.addIssuer()
        let late = VirtualClock(Date(timeIntervalSince1970: 1_800_000_000_000))
        await #expect(throws: IdentityError.made(.registration, .credentialTimeUnit)) {
            try await client.register(.credential(issuer("anna", late)))
        }
    }

    // MARK: Leaving

    @Test("Who is removed is gone at the provider and here; others stay")
    func removes() async throws {
        let profile = try await client.register(.credential(provider.testKey())).profile
        let session = try await client.signIn(.deviceKey)
        #expect(try await client.remove(profile.id).isComplete)
        #expect(try await client.profiles.isEmpty)
        #expect(try await keys.keyNames().isEmpty)
        await #expect(throws: IdentityError.made(.authentication, .notRegistered)) {
            try await session.refresh()
        }
        await #expect(throws: IdentityError.made(.authentication, .notRegistered)) {
            try await client.signIn(.deviceKey)
        }
    }

    @Test("Without a network a removal is done here, and says that the provider does not know")
    func removesLocally() async throws {
        let profile = try await client.register(.credential(provider.testKey())).profile
        wire.isDown = true
        guard case .localOnly(let error) = try await client.remove(profile.id) else {
            Issue.record("it cannot know")
            return
        }
        #expect(error.code == .notReachable)
        #expect(try await client.profiles.isEmpty)
        #expect(try await keys.keyNames().isEmpty)
    }

    @Test("An account is closed at the provider, or not at all")
    func deletesAccount() async throws {
        let profile = try await client.register(.credential(provider.testKey())).profile
        try await client.signIn(.deviceKey)
        wire.isDown = true
        await #expect(throws: IdentityError.made(.resource, .notReachable)) {
            try await client.deleteAccount(of: profile.id)
        }
        #expect(try await client.profiles == [profile])
        wire.isDown = false
        try await client.deleteAccount(of: profile.id)
        #expect(try await client.profiles.isEmpty)
        #expect(try await people() == 0)
    }

    @Test("A federated person's account is closed where it is, unless the project lets them")
    func deletesFederated() async throws {
        let issuer = try await provider.addIssuer()
        let profile = try await client.register(.credential(issuer("anna"))).profile
        await #expect(throws: IdentityError.made(.deregistration, .deregistrationRefused)) {
            try await client.deleteAccount(of: profile.id)
        }
        #expect(try await client.profiles == [profile])
        try await provider.change { $0.policy.registration.federatedDeregistration = true }
        try await client.deleteAccount(of: profile.id)
        #expect(try await client.profiles.isEmpty)
    }

    @Test("Erasing leaves nothing here, whatever state it was in")
    func erases() async throws {
        try await client.register(.credential(provider.testKey()))
        try await client.signIn(.deviceKey)
        wire.next("/registration", .answerLost)
        _ = try? await client.register(.credential(provider.testKey()))
        try await store.write([1], to: .init(testing: "profile.broken"))
        try await client.eraseLocalState()
        #expect(try await store.names().isEmpty)
        #expect(try await keys.keyNames().isEmpty)
    }
}
