// SPDX-License-Identifier: Apache-2.0
import JOSE
import Mail
import Primitives
import ProviderCore
import Storage
import Support
import Testing

@Suite struct PeopleSessionTests {
    private func current(
        _ house: PeopleHouse, _ cookie: String?
    ) async throws -> AuthenticatedSession? {
        try await SessionService(provider: house.provider).current(
            cookie: cookie, tenant: house.tenant, facts: house.facts)
    }

    @Test("Attack 60: the cookie speaks for the person; nothing else does")
    func cookie() async throws {
        let house = try await PeopleHouse()
        _ = try await house.register().get()
        let signIn = try await house.signIn().get()
        #expect(try await current(house, signIn.cookie)?.person.username == "anna")
        let id = signIn.signedIn.session.id
        for wrong in [
            nil, "", "x", signIn.cookie + "A", String(signIn.cookie.dropLast()),
            Base64URL.encode(id.bytes + id.bytes), id.description,
            Base64URL.encode(signIn.signedIn.session.secretHash),
        ] {
            #expect(try await current(house, wrong) == nil)
        }
    }

    @Test("Attack 60: every sign-in has a new secret, and the one it replaces ends")
    func fixation() async throws {
        let house = try await PeopleHouse()
        _ = try await house.register().get()
        let first = try await house.signIn().get()
        let second = try await house.signIn(replacing: first.signedIn.session).get()
        #expect(first.cookie != second.cookie)
        #expect(try await current(house, first.cookie) == nil)
        #expect(try await current(house, second.cookie) != nil)
    }

    @Test("a session ends after idle time, and at its expiry")
    func lifetimes() async throws {
        var policy = ProjectPolicy()
        policy.sessionIdleLifetime = 600
        policy.sessionLifetime = 1500
        let house = try await PeopleHouse(policy: policy)
        _ = try await house.register().get()
        let idle = try await house.signIn().get().cookie
        house.clock.advance(by: .seconds(601))
        #expect(try await current(house, idle) == nil)
        let busy = try await house.signIn().get().cookie
        for _ in 0..<4 {
            house.clock.advance(by: .seconds(300))
            #expect(try await current(house, busy) != nil)
        }
        house.clock.advance(by: .seconds(301))
        #expect(try await current(house, busy) == nil)
    }

    @Test("use is noted once a minute at most")
    func touch() async throws {
        let house = try await PeopleHouse()
        _ = try await house.register().get()
        let cookie = try await house.signIn().get().cookie
        let start = house.clock.now
        house.clock.advance(by: .seconds(59))
        #expect(try await current(house, cookie)?.session.lastSeenAt == start)
        house.clock.advance(by: .seconds(1))
        #expect(try await current(house, cookie)?.session.lastSeenAt == house.clock.now)
    }

    @Test("another project does not know the cookie")
    func neighbour() async throws {
        let house = try await PeopleHouse()
        _ = try await house.register().get()
        let cookie = try await house.signIn().get().cookie
        let other = try await house.neighbour()
        let seen = try await SessionService(provider: house.provider).current(
            cookie: cookie, tenant: other, facts: house.facts)
        #expect(seen == nil)
    }

    @Test("disabling a person ends their session at once")
    func disabled() async throws {
        let house = try await PeopleHouse()
        var person = try await house.register().get().person
        let cookie = try await house.signIn().get().cookie
        person.disabled = true
        _ = try await house.provider.store.people.update(person, now: house.clock.now)
        #expect(try await current(house, cookie) == nil)
    }

    @Test("Attack 87: a password that was changed since counts in no session after that")
    func changedPassword() async throws {
        let house = try await PeopleHouse()
        let anna = try await house.member()
        func next(after session: Session) async throws -> Session {
            let code = AuthenticationFactor(
                at: house.clock.now, methods: ["otp"], contextClass: "urn:gatehouse:acr:password")
            return try await SessionService(provider: house.provider).start(
                person: anna.person, factor: code, tenant: house.tenant, facts: house.facts,
                replacing: session
            ).0.session
        }
        let second = try await next(after: anna.session)
        #expect(second.factors.map(\.methods) == [["pwd"], ["otp"]])
        var other = try await house.storedPassword(of: anna.person)
        other.id = Identifier(now: house.clock.now, random: house.random)
        let isSet = try await house.provider.store.credentials.setPassword(
            other, replacing: .any, keeping: second.id, now: house.clock.now)
        #expect(isSet)
        #expect(try await next(after: second).factors.map(\.methods) == [["otp"]])
    }

    @Test("signing out ends the session and says so in the trail")
    func signOut() async throws {
        let house = try await PeopleHouse()
        _ = try await house.register().get()
        let signIn = try await house.signIn().get()
        try await SessionService(provider: house.provider).end(
            signIn.signedIn, tenant: house.tenant, facts: house.facts)
        #expect(try await current(house, signIn.cookie) == nil)
        #expect(try await house.events("sign-out").count == 1)
    }
}
