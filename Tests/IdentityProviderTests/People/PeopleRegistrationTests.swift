// SPDX-License-Identifier: Apache-2.0
import JOSE
import Mail
import Primitives
import ProviderCore
import ProviderPeople
import Storage
import Support
import Testing

@Suite struct PeopleRegistrationTests {
    @Test("a person registers with a password and one event is recorded")
    func password() async throws {
        let house = try await PeopleHouse()
        let binding = try await house.register("  Anna ", email: "Anna@Example.com").get()
        #expect(binding.person.username == "anna" && binding.factor.methods == ["pwd"])
        #expect(binding.person.claims.email == "anna@example.com")
        #expect(binding.person.claims.emailVerified == false)
        #expect(binding.person.claims.groups == nil)
        let events = try await house.events("registration.password")
        #expect(events.map(\.outcome) == [.accepted] && events.first?.person == binding.person.id)
    }

    @Test("a person registers with a passkey and needs no password")
    func passkey() async throws {
        let house = try await PeopleHouse()
        let (person, passkey) = try await house.keyHolder()
        let credentials = try await house.provider.store.credentials.credentials(of: person.id)
        #expect(credentials.map(\.kind) == [.publicKey])
        #expect(credentials.first?.label == "Chrome on Linux")
        #expect(PasskeyDetails(credentials.first?.details ?? "").transports == ["internal"])
        let signIn = try await house.signIn(passkey, of: person).get()
        #expect(signIn.signedIn.person.id == person.id)
        #expect(signIn.signedIn.session.authenticationMethods == "hwk user mfa")
    }

    @Test(
        "a password that attackers try is refused",
        arguments: [
            ("short", "password_too_short"), ("password123", "password_common"),
            ("anna.johnson", "password_context"), ("aaaaaaaaaaaa", "password_repeated"),
            ("abcdefghijkl", "password_sequential"),
        ])
    func badPassword(_ password: String, _ code: String) async throws {
        let house = try await PeopleHouse()
        let outcome = try await house.register("anna.johnson", password: password)
        guard case .failure(let refusal) = outcome else { throw NoRefusal() }
        #expect(refusal.code == code)
        #expect(try await house.events("registration.password").map(\.code) == [code])
    }

    struct NoRefusal: Error {}

    @Test("a user name that cannot be seen, a bad address: refused")
    func badFields() async throws {
        let house = try await PeopleHouse()
        #expect(try await house.register("an\u{200B}na").code == .usernameInvalid)
        #expect(try await house.register("").code == .usernameInvalid)
        #expect(try await house.register("anna", email: "no address").code == .emailInvalid)
        #expect(try await house.options("").code == .usernameInvalid)
    }

    @Test("a taken user name is refused, however it is typed")
    func taken() async throws {
        let house = try await PeopleHouse()
        _ = try await house.register("anna").get()
        #expect(try await house.register(" ANNA ").code == .usernameTaken)
        #expect(try await house.options("Anna").code == .usernameTaken)
    }

    @Test("two who want one user name at once: one gets it")
    func race() async throws {
        let house = try await PeopleHouse()
        let options = try await (house.options("anna").get(), house.options("anna").get())
        _ = try await house.register(house.passkey(), options.0).get()
        let second = try await house.register(house.passkey(), options.1)
        #expect(second.code == .usernameTaken)
    }

    @Test("without self-registration a registration is refused")
    func closed() async throws {
        var policy = ProjectPolicy()
        policy.selfRegistration = false
        let house = try await PeopleHouse(policy: policy)
        #expect(try await house.register().code == .registrationClosed)
        #expect(try await house.options("anna").code == .registrationClosed)
    }

    @Test("the set-up link makes one administrator, also where registration is closed")
    func setUp() async throws {
        var policy = ProjectPolicy()
        policy.selfRegistration = false
        let house = try await PeopleHouse(policy: policy)
        let link = SetUpLink(house.provider, project: house.project.id, now: house.clock.now)
        let address = try await link.issue(for: house.tenant)
        let token = try #require(address.split(separator: "=").last.map(String.init))
        let first = try await house.register("root", setUpToken: token).get()
        #expect(Administrators.include(first.person))
        #expect(try await house.register("eve", setUpToken: token).code == .setUpLinkInvalid)
    }

    private func token(_ house: PeopleHouse) async throws -> String {
        let link = SetUpLink(house.provider, project: house.project.id, now: house.clock.now)
        let address = try await link.issue(for: house.tenant)
        return try #require(address.split(separator: "=").last.map(String.init))
    }

    @Test("Attack 80: an earlier set-up link gives nothing once the first owner can sign in")
    func earlierSetUp() async throws {
        let house = try await PeopleHouse()
        let (lost, used) = (try await token(house), try await token(house))
        _ = try await house.register("root", setUpToken: used).get()
        #expect(try await house.register("eve", setUpToken: lost).code == .setUpLinkInvalid)
        // Links for further owners are independent of each other.
        let (one, two) = (try await token(house), try await token(house))
        _ = try await house.register("bea", setUpToken: one).get()
        _ = try await house.register("carl", setUpToken: two).get()
    }

    @Test("Attack 80: a set-up link gives nothing once an owner of a state file can sign in")
    func appointedOwner() async throws {
        let house = try await PeopleHouse()
        let lost = try await token(house)
        let owner = try await house.register("olga").get().person
        let role = Administrator(
            id: Identifier(now: house.clock.now, random: house.random), person: owner.id,
            project: nil, role: .owner, createdAt: house.clock.now)
        let link = SetUpLink(house.provider, project: house.project.id, now: house.clock.now)
        #expect(try await link.isActive(lost))
        #expect(try await house.provider.store.administrators.assign(role) == .assigned)
        #expect(try await !link.isActive(lost))
        // The link is consumed, also if the owner cannot sign in later.
        var disabled = owner
        disabled.disabled = true
        _ = try await house.provider.store.people.update(disabled, now: house.clock.now)
        #expect(try await house.register("eve", setUpToken: lost).code == .setUpLinkInvalid)
    }

    @Test("an invented, an old and a neighbour's set-up token are refused")
    func badSetUp() async throws {
        let house = try await PeopleHouse()
        #expect(try await house.register(setUpToken: "x").code == .setUpLinkInvalid)
        let other = try await house.neighbour()
        for (project, wait) in [
            (other.project.id, TimeSpan.seconds(0)), (house.project.id, .hours(25)),
        ] {
            let link = SetUpLink(house.provider, project: project, now: house.clock.now)
            let token = try await link.issue(for: other).split(separator: "=").last ?? ""
            house.clock.advance(by: wait)
            let outcome = try await house.register(setUpToken: String(token))
            #expect(outcome.code == .setUpLinkInvalid)
        }
    }

    @Test("registrations from one address are limited")
    func limited() async throws {
        var house = try await PeopleHouse()
        house.limits.perAddress = 2
        _ = try await house.register("a").get()
        _ = try await house.register("b").get()
        #expect(try await house.register("c").code == .tooManyAttempts)
        house.address = "192.0.2.2"
        _ = try await house.register("c").get()
    }

    @Test("a challenge is answered once")
    func replay() async throws {
        let house = try await PeopleHouse()
        let options = try await house.options("anna").get()
        let passkey = try house.passkey()
        _ = try await house.register(passkey, options).get()
        #expect(try await house.register(passkey, options).code == .ceremonyExpired)
    }

    @Test("a challenge that was never given out, is too old or was for signing in: refused")
    func foreignChallenge() async throws {
        let house = try await PeopleHouse()
        let passkey = try house.passkey()
        let signIn = try await PasskeyOptions.signIn(in: house.context).get()
        #expect(try await house.register(passkey, signIn).code == .ceremonyExpired)
        let old = try await house.options("anna").get()
        house.clock.advance(by: .minutes(11))
        #expect(try await house.register(passkey, old).code == .ceremonyExpired)
    }

    @Test("an answer from another origin, without the person verified, or of the wrong type")
    func badEvidence() async throws {
        let house = try await PeopleHouse()
        var phished = try SoftwarePasskey(
            origin: "http://localhost.evil.example", relyingPartyID: "localhost",
            random: house.random)
        var options = try await house.options("anna").get()
        #expect(try await house.register(phished, options).code == .passkeyRefused)
        phished.origin = PeopleHouse.issuer
        phished.flags = 0x01
        options = try await house.options("anna").get()
        #expect(try await house.register(phished, options).code == .passkeyRefused)
        options = try await house.options("anna").get()
        let wrong = try await CeremonyRunner(house.context).run(
            PasskeyRegistration(
                ceremony: options.ceremony, response: .object(.init()), signedIn: nil))
        #expect(wrong.code == .passkeyRefused)
        // None has an attestation, so they are counted.
        await house.provider.audit.flush()
        #expect(try await house.events("registration.passkey").map(\.count) == [3])
    }

    @Test("a credential id that is registered already is refused")
    func credentialTaken() async throws {
        let house = try await PeopleHouse()
        let (_, passkey) = try await house.keyHolder("anna")
        let outcome = try await house.register(passkey, house.options("berta").get())
        #expect(outcome.code == .passkeyTaken)
    }

    @Test("a further passkey needs a fresh sign-in and belongs to who began it")
    func addition() async throws {
        let house = try await PeopleHouse()
        let anna = try await house.member("anna")
        let berta = try await house.member("berta")
        let options = try await PasskeyOptions.add(for: anna, in: house.context).get()
        let passkey = try house.passkey()
        #expect(
            try await house.register(passkey, options, signedIn: berta).code == .signInNeeded)
        let again = try await PasskeyOptions.add(for: anna, in: house.context).get()
        #expect(try await house.register(passkey, again, signedIn: nil).code == .signInNeeded)
        house.clock.advance(by: .minutes(6))
        let late = try await PasskeyOptions.add(for: anna, in: house.context)
        #expect(late.code == .freshSignInNeeded)
        let fresh = try await house.signIn("anna").get().signedIn
        let third = try await PasskeyOptions.add(for: fresh, in: house.context).get()
        #expect(try await house.register(passkey, third, signedIn: fresh).code == nil)
    }

    @Test("Attack 28: a ceremony of one project binds nothing in another")
    func foreignProject() async throws {
        let house = try await PeopleHouse()
        let anna = try await house.member()
        let neighbour = house.context(of: try await house.neighbour())
        for options in [
            try await house.options("berta").get(),
            try await PasskeyOptions.add(for: anna, in: house.context).get(),
        ] {
            let response = try house.json(
                house.passkey().registration(challenge: options.ceremony))
            let outcome = try await CeremonyRunner(neighbour).run(
                PasskeyRegistration(
                    ceremony: options.ceremony, response: response, signedIn: anna))
            #expect(outcome.code == .ceremonyExpired)
        }
        #expect(
            try await house.provider.store.credentials.credentials(of: anna.person.id).count == 1)
    }

    @Test("known passkeys are excluded from the options")
    func exclusion() async throws {
        let house = try await PeopleHouse()
        let (person, passkey) = try await house.keyHolder()
        let signedIn = try await house.signIn(passkey, of: person).get().signedIn
        let options = try await PasskeyOptions.add(for: signedIn, in: house.context).get()
        let excluded = options.publicKey["excludeCredentials"]?.array?.compactMap {
            $0["id"]?.string
        }
        #expect(excluded == [Base64URL.encode(passkey.credentialID)])
    }
}
