// SPDX-License-Identifier: Apache-2.0
import Primitives
import ProviderCore
import Storage
import Support
import Testing

/// A passkey belongs to its person, but the person's realm decides whether they can sign in.
@Suite struct SilencedPasskeyTests {
    private static let realm = "urn:gatehouse:identity-provider:badge"

    private let house: PeopleHouse
    private let person: Person
    private let passkey: SoftwarePasskey

    /// Inserts a person from a custom identity provider with a passkey.
    init() async throws {
        house = try await PeopleHouse()
        let (person, passkey) = try await house.keyHolder()
        try await Self.serve(house, isEnabled: true)
        self.passkey = passkey
        self.person = try await Self.move(person, to: Self.realm, in: house)
    }

    /// Replaces the person by one of another realm with the same credentials.
    private static func move(
        _ person: Person, to realm: String, in house: PeopleHouse
    ) async throws -> Person {
        let store = house.provider.store
        let credentials = try await store.credentials.credentials(of: person.id)
        try await store.people.remove(person: person.id)
        var moved = person
        moved.realm = realm
        let outcome = try await store.people.create(moved, with: credentials)
        try #require(outcome == .created)
        return moved
    }

    private static func serve(_ house: PeopleHouse, isEnabled: Bool?) async throws {
        var project = house.project
        if let isEnabled {
            var service = CustomProviderSettings()
            service.id = "badge"
            service.url = "https://people.example/"
            service.enabled = isEnabled
            project.policy.registration.identityProviders = [service]
        }
        _ = try await house.provider.store.projects.save(project)
    }

    private func cookieSpeaks(_ signIn: CompletedSignIn) async throws -> Bool {
        try await SessionService(provider: house.provider).current(
            cookie: signIn.cookie, tenant: house.tenant, facts: house.facts) != nil
    }

    @Test(
        "Attack 33: a passkey opens no page to a person of a disabled or deleted service",
        arguments: [false, nil])
    func service(isEnabled: Bool?) async throws {
        let before = try await house.signIn(passkey, of: person).get()
        #expect(try await cookieSpeaks(before))
        try await Self.serve(house, isEnabled: isEnabled)
        #expect(try await !cookieSpeaks(before), "a session goes on")
        #expect(try await house.signIn(passkey, of: person).code == .invalidCredentials)
        // Nor does it spell out why.
        let event = try #require(try await house.events("sign-in.passkey").first)
        #expect(event.person == person.id)
        try await Self.serve(house, isEnabled: true)
        #expect(try await !cookieSpeaks(before))
        let after = try await house.signIn(passkey, of: person).get()
        #expect(try await cookieSpeaks(after))
    }

    @Test("Attack 33: nor to a person whose issuer has no key")
    func issuer() async throws {
        let issuer = "https://idp.example"
        let brought = try await Self.move(person, to: issuer, in: house)
        let key = IssuerKey(
            id: Identifier(now: house.clock.now, random: house.random), project: house.project.id,
            kind: .federation, issuer: issuer, kid: "k1", algorithm: "ES256",
            publicJWK: "{}", createdAt: house.clock.now)
        #expect(try await house.provider.store.issuerKeys.save(key))
        let before = try await house.signIn(passkey, of: brought).get()
        _ = try await house.provider.store.issuerKeys.remove(
            issuerKey: key.id, of: house.project.id)
        #expect(try await !cookieSpeaks(before), "a session goes on")
        #expect(try await house.signIn(passkey, of: brought).code == .invalidCredentials)
        #expect(try await house.provider.store.issuerKeys.save(key))
        #expect(try await house.signIn(passkey, of: brought).code == nil)
    }

    @Test("Local people are not affected")
    func others() async throws {
        let (berta, key) = try await house.keyHolder("berta")
        let before = try await house.signIn(key, of: berta).get()
        try await Self.serve(house, isEnabled: nil)
        #expect(try await cookieSpeaks(before))
        #expect(try await house.signIn(key, of: berta).code == nil)
    }
}
