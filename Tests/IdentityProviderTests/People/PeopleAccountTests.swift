// SPDX-License-Identifier: Apache-2.0
import JOSE
import Mail
import Primitives
import ProviderCore
import ProviderPeople
import Storage
import Support
import Testing

@Suite struct PeopleAccountTests {
    private func change(
        _ house: PeopleHouse, _ signedIn: AuthenticatedSession, current: String?, new: String
    ) async throws -> Result<RegistrationBinding, Refusal> {
        try await CeremonyRunner(house.context).run(
            PasswordChange(
                signedIn: signedIn, current: current.map { Secret($0) }, new: Secret(new)))
    }

    private static let better = "a quite different phrase"

    @Test("the last credential cannot be removed; recovery codes do not count")
    func lastWayIn() async throws {
        let house = try await PeopleHouse()
        let anna = try await house.member()
        let changes = AccountService(house.context, signedIn: anna)
        _ = try await changes.makeRecoveryCodes().get()
        let password = try #require(
            try await house.provider.store.credentials.credentials(of: anna.person.id)
                .first { $0.kind == .password })
        #expect(try await changes.remove(credential: password.id).code == .lastWayIn)
        let options = try await PasskeyOptions.add(for: anna, in: house.context).get()
        _ = try await house.register(house.passkey(), options, signedIn: anna).get()
        #expect(try await changes.remove(credential: password.id).code == nil)
        #expect(try await house.signIn().code == .invalidCredentials)
        #expect(try await changes.remove(credential: password.id).code == .unknownCredential)
    }

    @Test("removing, making codes and confirming an address need a fresh sign-in")
    func freshness() async throws {
        let house = try await PeopleHouse()
        let anna = try await house.member()
        house.clock.advance(by: .minutes(6))
        let changes = AccountService(house.context, signedIn: anna)
        let id = Identifier<Credential>(now: house.clock.now, random: house.random)
        #expect(try await changes.remove(credential: id).code == .freshSignInNeeded)
        #expect(try await changes.makeRecoveryCodes().code == .freshSignInNeeded)
        let verification = EmailVerification(house.context, signedIn: anna)
        #expect(
            try await verification.begin(address: "a@example.com").code == .freshSignInNeeded)
    }

    @Test("another person's credential, session and consent are unknown")
    func foreign() async throws {
        let house = try await PeopleHouse()
        let anna = try await house.member("anna")
        let berta = try await house.member("berta")
        let changes = AccountService(house.context, signedIn: berta)
        let credential = try #require(
            try await house.provider.store.credentials.credentials(of: anna.person.id).first)
        #expect(try await changes.remove(credential: credential.id).code == .unknownCredential)
        #expect(
            try await changes.rename(credential: credential.id, to: "x").code
                == .unknownCredential)
        #expect(try await changes.end(session: anna.session.id).code == .unknownSession)
        let client = Identifier<Client>(now: house.clock.now, random: house.random)
        #expect(try await changes.withdraw(consentFor: client).code == .unknownConsent)
    }

    @Test("a passkey's name must be seen")
    func label() async throws {
        let house = try await PeopleHouse()
        let (person, passkey) = try await house.keyHolder()
        let signedIn = try await house.signIn(passkey, of: person).get().signedIn
        let changes = AccountService(house.context, signedIn: signedIn)
        let id = try #require(
            try await house.provider.store.credentials.credentials(of: person.id).first
        ).id
        #expect(try await changes.rename(credential: id, to: " ").code == .labelInvalid)
        let long = String(repeating: "x", count: 65)
        #expect(try await changes.rename(credential: id, to: long).code == .labelInvalid)
        _ = try await changes.rename(credential: id, to: " Blue key ").get()
        #expect(
            try await house.provider.store.credentials.credentials(of: person.id).first?.label
                == "Blue key")
    }

    @Test("the password changes with the current one, or fresh without; others are signed out")
    func passwordChange() async throws {
        let house = try await PeopleHouse()
        let anna = try await house.member()
        let elsewhere = try await house.signIn().get()
        house.clock.advance(by: .minutes(6))
        #expect(
            try await change(house, anna, current: nil, new: Self.better).code
                == .freshSignInNeeded)
        #expect(
            try await change(house, anna, current: "not it", new: Self.better).code
                == .passwordWrong)
        _ = try await change(
            house, anna, current: PeopleHouse.password, new: Self.better
        ).get()
        #expect(try await house.signIn().code == .invalidCredentials)
        #expect(try await house.signIn(password: Self.better).code == nil)
        let seen = try await SessionService(provider: house.provider).current(
            cookie: elsewhere.cookie, tenant: house.tenant, facts: house.facts)
        #expect(seen == nil)
        let sessions = try await house.provider.store.sessions.sessions(
            of: anna.person.id, now: house.clock.now)
        #expect(sessions.contains { $0.id == anna.session.id })
    }

    @Test("a new password obeys the rules, and guesses at the current one are limited")
    func passwordRules() async throws {
        let house = try await PeopleHouse()
        let anna = try await house.member()
        let weak = try await change(house, anna, current: nil, new: "password1")
        if case .failure(let refusal) = weak { #expect(refusal.code == "password_common") }
        for _ in 0..<10 {
            _ = try await change(house, anna, current: "not it", new: Self.better)
        }
        #expect(
            try await change(house, anna, current: PeopleHouse.password, new: Self.better).code
                == .tooManyAttempts)
    }

    @Test("one session is ended, or all others")
    func sessions() async throws {
        let house = try await PeopleHouse()
        let anna = try await house.member()
        let second = try await house.signIn().get().signedIn
        _ = try await house.signIn().get()
        let changes = AccountService(house.context, signedIn: anna)
        #expect(try await changes.end(session: second.session.id).code == nil)
        #expect(try await changes.end(session: second.session.id).code == .unknownSession)
        #expect(try await changes.endOtherSessions().get() == 1)
    }

    @Test("renaming oneself touches nothing but the name")
    func rename() async throws {
        let house = try await PeopleHouse()
        let anna = try await house.member()
        let changes = AccountService(house.context, signedIn: anna)
        #expect(try await changes.rename(to: "\u{202E}x").code == .nameInvalid)
        _ = try await changes.rename(to: "Anna B.").get()
        let now = try #require(try await house.provider.store.people.person(anna.person.id))
        #expect(now.claims.name == "Anna B.")
        #expect(now.claims.groups == nil && now.username == "anna")
    }

    @Test("people hear by mail of what changed")
    func notices() async throws {
        let house = try await PeopleHouse()
        let person = try await house.register().get().person
        try await house.confirm("anna@example.com", of: person)
        let anna = try await house.signIn().get().signedIn
        let options = try await PasskeyOptions.add(for: anna, in: house.context).get()
        _ = try await house.register(house.passkey(), options, signedIn: anna).get()
        let mail = try await house.mailbox.next()
        #expect(mail.to.address == "anna@example.com")
        #expect(mail.from.address == "no-reply@localhost")
        #expect(mail.subject.hasPrefix("passkeyAdded"))
        _ = try await change(house, anna, current: nil, new: Self.better).get()
        #expect(try await house.mailbox.next().subject == "passwordChanged")
    }

    @Test("the overview shows what there is")
    func overview() async throws {
        let house = try await PeopleHouse()
        let anna = try await house.member()
        _ = try await AccountService(house.context, signedIn: anna).makeRecoveryCodes().get()
        let overview = try await AccountOverview(of: anna, in: house.context)
        #expect(overview.password != nil && overview.passkeys.isEmpty)
        #expect(overview.recoveryCodesLeft == 10 && overview.sessions.count == 1)
        #expect(
            Set(overview.events.map(\.action)) == [
                "credential.recovery-codes.made", "sign-in.password", "registration.password",
            ])
    }
}
