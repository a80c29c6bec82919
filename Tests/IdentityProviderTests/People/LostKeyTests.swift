// SPDX-License-Identifier: Apache-2.0
import JOSE
import Mail
import OAuth
import Primitives
import ProviderCore
import ProviderPeople
import Storage
import Support
import Testing

/// The report of a lost key, and the recovery.
@Suite struct LostKeyTests {
    /// Anna with a password, a key, and a confirmed address.
    private func keyOwner(
        _ house: PeopleHouse
    ) async throws -> (AuthenticatedSession, SoftwarePasskey, Credential) {
        let anna = try await house.member()
        let key = try house.securityKey()
        let credential = try await house.add(key, for: anna)
        return (anna, key, credential)
    }

    @Test("one click: the key is dead, its sessions end, its owner is told, the trail says so")
    func lost() async throws {
        let house = try await PeopleHouse()
        let (anna, key, credential) = try await keyOwner(house)
        try await house.confirm("anna@example.com", of: anna.person)
        let thief = try await house.signIn(key, of: anna.person).get().signedIn.session
        // No fresh sign-in is asked for.
        house.clock.advance(by: .hours(1))
        let person = try #require(try await house.provider.store.people.person(anna.person.id))
        let now = AuthenticatedSession(session: anna.session, person: person)
        let outcome = try await AccountService(house.context, signedIn: now)
            .reportLost(credential: credential.id)
        #expect(outcome.code == nil)
        let store = house.provider.store
        #expect(try await store.sessions.session(thief.id, now: house.clock.now) == nil)
        #expect(try await store.sessions.session(anna.session.id, now: house.clock.now) != nil)
        #expect(try await house.signIn(key, of: anna.person).code == .passkeyUnknown)
        #expect(try await house.mailbox.next().subject.contains("keyLost"))
        #expect(try await house.events("credential.lost").map(\.outcome) == [.accepted])
    }

    @Test("a session that rests on a password as well stays, without what the key proved")
    func keptSession() async throws {
        let house = try await PeopleHouse()
        let (anna, key, credential) = try await keyOwner(house)
        let options = try #require(
            try await PasskeyOptions.stepUp(
                for: anna, to: .phishingResistant, in: house.context))
        let both = try await house.answer(
            options, with: key, handle: anna.person, replacing: anna.session
        ).get().signedIn
        _ = try await AccountService(house.context, signedIn: both)
            .reportLost(credential: credential.id).get()
        let rest = try #require(
            try await house.provider.store.sessions.session(both.session.id, now: house.clock.now))
        #expect(AuthenticationAssurance(rest).highest == .password)
    }

    @Test("a person cannot report another person's key")
    func notYours() async throws {
        let house = try await PeopleHouse()
        let (_, _, credential) = try await keyOwner(house)
        let mallory = try await house.member("mallory")
        #expect(
            try await AccountService(house.context, signedIn: mallory)
                .reportLost(credential: credential.id).code == .unknownCredential)
    }

    @Test("the last credential is deleted only if recovery is possible")
    func lastWay() async throws {
        let house = try await PeopleHouse()
        let (person, _) = try await house.keyHolder()
        let store = house.provider.store
        let only = try #require(try await store.credentials.credentials(of: person.id).first)
        let signedIn = AuthenticatedSession(
            session: try await house.member("other").session, person: person)
        let changes = AccountService(house.context, signedIn: signedIn)
        #expect(try await changes.reportLost(credential: only.id).code == .lastWayIn)
        _ = try await changes.makeRecoveryCodes().get()
        #expect(try await changes.reportLost(credential: only.id).code == nil)
    }

    // MARK: Registering again

    private func open(
        _ house: PeopleHouse, for person: Person, hours: Int64 = 24
    ) async throws -> String {
        let (url, end) = try await ReRegistration(house.context)
            .open(for: person, lifetime: .hours(hours))
        #expect(end == house.clock.now + .hours(hours))
        return try #require(url.split(separator: "=").last.map(String.init))
    }

    private func finish(
        _ house: PeopleHouse, _ token: String, _ key: SoftwarePasskey
    ) async throws -> Result<RegistrationBinding, Refusal> {
        switch try await ReRegistration(house.context).options(token: token, kind: .securityKey) {
        case .failure(let refusal): return .failure(refusal)
        case .success(let options):
            return try await CeremonyRunner(house.context).run(
                PasskeyRegistration(
                    ceremony: options.ceremony,
                    response: try house.json(key.registration(challenge: options.ceremony)),
                    signedIn: nil, isAgain: true))
        }
    }

    @Test("an administrator's link lets one key in, once, and every step is in the trail")
    func again() async throws {
        let house = try await PeopleHouse()
        let (made, _) = try await house.keyHolder()
        try await house.confirm("anna@example.com", of: made)
        let person = try #require(try await house.provider.store.people.person(made.id))
        let token = try await open(house, for: person)
        #expect(try await house.mailbox.next().subject.contains("reRegistrationOpened"))
        let key = try house.securityKey()
        let binding = try await finish(house, token, key).get()
        #expect(binding.person.id == person.id)
        #expect(try await house.signIn(key, of: person).code == nil)
        #expect(
            try await finish(house, token, try house.securityKey()).code
                == .reRegistrationInvalid)
        #expect(try await house.mailbox.next().subject.contains("keyReRegistered"))
        let opened = try await house.events("admin.person.re-registration.opened")
        #expect(opened.map(\.person) == [person.id])
        #expect(opened.first?.details.contains("expires_at") == true)
        let used = try await house.events("credential.passkey.re-registered")
        #expect(used.map(\.outcome).contains(.accepted))
    }

    @Test(
        "a link that is expired, withdrawn, replaced, changed, or of a disabled person is refused")
    func deadLinks() async throws {
        let house = try await PeopleHouse()
        let person = try await house.keyHolder().0
        let late = try await open(house, for: person, hours: 1)
        house.clock.advance(by: .minutes(61))
        #expect(
            try await finish(house, late, try house.securityKey()).code == .reRegistrationInvalid)
        let replaced = try await open(house, for: person)
        let withdrawn = try await open(house, for: person)
        #expect(
            try await finish(house, replaced, try house.securityKey()).code
                == .reRegistrationInvalid)
        let ceremony = ReRegistration(house.context)
        #expect(try await ceremony.person(behind: withdrawn)?.id == person.id)
        #expect(try await ceremony.close(for: person))
        #expect(try await !ceremony.close(for: person))
        for token in [
            withdrawn, "", ".", "x.y", withdrawn + "x", String(repeating: "a", count: 4096),
        ] {
            #expect(try await ceremony.person(behind: token) == nil)
        }
        let living = try await open(house, for: person)
        var disabled = person
        disabled.disabled = true
        _ = try await house.provider.store.people.update(disabled, now: house.clock.now)
        #expect(
            try await finish(house, living, try house.securityKey()).code
                == .reRegistrationInvalid)
    }

    @Test("a link that was opened before its person got a role does not give the role owner")
    func promoted() async throws {
        let house = try await PeopleHouse()
        let person = try await house.keyHolder().0
        let roles = AdministratorRoles(
            house.provider, home: house.context.project, facts: house.context.facts)
        _ = try await roles.grant(.support, to: person, in: nil).get()
        let known = try await open(house, for: person)
        #expect(try await ReRegistration(house.context).person(behind: known)?.id == person.id)
        _ = try await roles.grant(.owner, to: person, in: nil).get()
        #expect(
            try await finish(house, known, try house.securityKey()).code == .reRegistrationInvalid)
        // One that is opened for the owner counts.
        let again = try await open(house, for: person)
        #expect(try await finish(house, again, try house.securityKey()).code == nil)
    }

    @Test("a link of one person registers nothing for another, whatever the answer says")
    func crossed() async throws {
        let house = try await PeopleHouse()
        let anna = try await house.keyHolder("anna").0
        let token = try await open(house, for: anna)
        let options = try await ReRegistration(house.context)
            .options(token: token, kind: .passkey).get()
        // Finished as an ordinary registration: it was not begun as one.
        let mallory = try await house.member("mallory")
        for signedIn in [nil, mallory] {
            #expect(
                try await house.register(try house.passkey(), options, signedIn: signedIn).code
                    != nil)
        }
        #expect(
            try await house.provider.store.credentials.credentials(of: mallory.person.id).count == 1
        )
    }

    @Test("Attack 26: a link enrols one key, of the person it was opened for, here")
    func onePersonOneKey() async throws {
        let house = try await PeopleHouse()
        let anna = try await house.keyHolder("anna").0
        let berta = try await house.keyHolder("berta").0
        let token = try await open(house, for: anna)
        let secret = try #require(token.split(separator: ".").last)
        let bent = "\(Base64URL.encode(berta.id.bytes)).\(secret)"
        #expect(
            try await finish(house, bent, try house.securityKey()).code == .reRegistrationInvalid)
        let abroad = ReRegistration(house.context(of: try await house.neighbour()))
        #expect(
            try await abroad.options(token: token, kind: .passkey).code == .reRegistrationInvalid)
        // A ceremony that was begun before the link was used does not outlive it.
        let begun = try await ReRegistration(house.context)
            .options(token: token, kind: .securityKey).get()
        #expect(try await finish(house, token, try house.securityKey()).code == nil)
        let late = try await CeremonyRunner(house.context).run(
            PasskeyRegistration(
                ceremony: begun.ceremony,
                response: try house.json(
                    house.securityKey().registration(challenge: begun.ceremony)),
                signedIn: nil, isAgain: true))
        #expect(late.code == .reRegistrationInvalid)
        let store = house.provider.store
        #expect(try await store.credentials.credentials(of: anna.id).count == 2)
        #expect(try await store.credentials.credentials(of: berta.id).count == 1)
    }

    @Test("Attack 43: of two that finish with one link at once, one gets in", arguments: 0..<5)
    func race(_ round: Int) async throws {
        let house = try await PeopleHouse()
        let person = try await house.keyHolder().0
        let token = try await open(house, for: person)
        let keys = [try house.securityKey(), try house.securityKey()]
        let wins = try await withThrowingTaskGroup(of: Bool.self) { group in
            for key in keys {
                group.addTask { try await finish(house, token, key).code == nil }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(wins == 1)
    }
}
