// SPDX-License-Identifier: Apache-2.0
import JOSE
import Mail
import PasswordHashing
import Primitives
import ProviderCore
import ProviderPeople
import Storage
import Support
import Testing

@Suite struct PeopleSignInTests {
    @Test("the right password lets in, in any spelling of the name")
    func password() async throws {
        let house = try await PeopleHouse()
        _ = try await house.register().get()
        let signIn = try await house.signIn(" ANNA ").get()
        #expect(signIn.signedIn.session.authenticationMethods == "pwd")
        #expect(signIn.signedIn.session.device == "Chrome on Linux")
        #expect(try await house.events("sign-in.password").map(\.outcome) == [.accepted])
    }

    @Test("the verified e-mail address lets in as the user name does, in any spelling")
    func address() async throws {
        let house = try await PeopleHouse()
        let anna = try await house.register(email: "anna@example.com").get().person
        #expect(try await house.signIn("anna@example.com").code == .invalidCredentials)
        try await house.confirm("anna@example.com", of: anna)
        for name in ["anna@example.com", " Anna@Example.COM "] {
            #expect(try await house.signIn(name).get().signedIn.person.id == anna.id)
        }
        let wrong = try await house.signIn("anna@example.com", password: "not her password")
        #expect(wrong.code == .invalidCredentials)
    }

    @Test("Attack 81: a recovery makes no first password an ordinary one")
    func firstPassword() async throws {
        let house = try await PeopleHouse()
        let anna = try await house.register().get().person
        let session = try await house.signIn().get().signedIn
        var first = try await house.storedPassword(of: anna)
        first.id = Identifier(now: house.clock.now, random: house.random)
        first.details = PasswordDetails(mustChange: true).json
        let isSet = try await house.provider.store.credentials.setPassword(
            first, replacing: .any, keeping: session.session.id, now: house.clock.now)
        #expect(isSet)
        #expect(try await house.signIn().code == .passwordChangeNeeded)
        func change(to password: String) async throws -> Result<RegistrationBinding, Refusal> {
            try await CeremonyRunner(house.context).run(
                PasswordChange(signedIn: session, current: nil, new: Secret(password)))
        }
        #expect(try await change(to: PeopleHouse.password).code == .passwordUnchanged)
        #expect(try await house.signIn().code == .passwordChangeNeeded)
        let own = PeopleHouse.password + "!"
        _ = try await change(to: own).get()
        #expect(try await house.signIn(password: own).code == nil)
    }

    @Test("Attack 81: guesses at a first password are limited as at any other")
    func guesses() async throws {
        var house = try await PeopleHouse()
        house.limits.perAccount = 2
        let anna = try await house.register().get().person
        var first = try await house.storedPassword(of: anna)
        first.details = PasswordDetails(mustChange: true).json
        _ = try await house.provider.store.credentials.setPassword(
            first, replacing: .any, keeping: nil, now: house.clock.now)
        for _ in 0..<2 { _ = try await house.signIn(password: "wrong guess") }
        #expect(try await house.signIn().code == .tooManyAttempts)
    }

    @Test(
        "Attack 39: unknown person, wrong password, no password, disabled: one and the same answer")
    func enumeration() async throws {
        let house = try await PeopleHouse()
        let anna = try await house.register("anna").get().person
        _ = try await house.keyHolder("berta")
        var answers: [Refusal] = []
        for (name, password) in [
            ("nobody", "whatever it is"), ("anna", "not her password"), ("berta", "none is set"),
            ("", "x"), ("anna", ""), ("anna", String(repeating: "x", count: 5000)),
        ] {
            guard case .failure(let refusal) = try await house.signIn(name, password: password)
            else { continue }
            answers.append(refusal)
        }
        var disabled = anna
        disabled.disabled = true
        _ = try await house.provider.store.people.update(disabled, now: house.clock.now)
        if case .failure(let refusal) = try await house.signIn() { answers.append(refusal) }
        #expect(answers.count == 7)
        #expect(Set(answers.map(\.code)) == ["invalid_credentials"])
        #expect(Set(answers.map(\.message)).count == 1)
        #expect(answers.allSatisfy { $0.retryAfter == nil })
    }

    @Test("Attack 39: every attempt computes one hash, for known and unknown people")
    func oneHash() async throws {
        let house = try await PeopleHouse()
        let anna = try await house.register("anna").get().person
        _ = try await house.keyHolder("berta")
        _ = try await house.register("carla").get()
        var disabled = try #require(try await house.provider.store.people.person(anna.id))
        disabled.disabled = true
        _ = try await house.provider.store.people.update(disabled, now: house.clock.now)
        let right = PeopleHouse.password
        for (name, password) in [
            ("nobody", right), ("nobody", ""), ("no\u{0}body", right), ("", right),
            ("berta", right), ("anna", right), ("anna", "wrong guess"), ("carla", "wrong guess"),
            ("carla", ""), ("carla", String(repeating: "x", count: 5000)), ("carla", right),
        ] {
            let before = house.provider.passwords.load.begun
            _ = try await house.signIn(name, password: password)
            let made = house.provider.passwords.load.begun - before
            #expect(made == 1, "\(name) with \(password.count) characters: \(made)")
        }
    }

    @Test("when costs change, the next sign-in renews the hash, and no session ends")
    func renewal() async throws {
        let house = try await PeopleHouse()
        let person = try await house.register().get().person
        let before = try await house.signIn().get()
        let old = try await house.storedPassword(of: person)
        let dearer = try await house.withCosts(
            Argon2Parameters(memory: 16, iterations: 1, lanes: 1))
        #expect(try await dearer.signIn(password: "wrong guess").code == .invalidCredentials)
        #expect(try await house.storedPassword(of: person).publicPart == old.publicPart)
        let after = try await dearer.signIn().get()
        let new = try await house.storedPassword(of: person)
        #expect(new.id == old.id && new.publicPart != old.publicPart)
        #expect(String(decoding: new.publicPart, as: UTF8.self).contains("m=16,t=1"))
        let living = try await house.provider.store.sessions.sessions(
            of: person.id, now: house.clock.now)
        #expect(
            Set(living.map(\.id)) == [before.signedIn.session.id, after.signedIn.session.id])
        _ = try await dearer.signIn().get()
        #expect(try await house.storedPassword(of: person).publicPart == new.publicPart)
    }

    @Test("a hash at today's costs is left alone")
    func noRenewal() async throws {
        let house = try await PeopleHouse()
        let person = try await house.register().get().person
        let old = try await house.storedPassword(of: person)
        _ = try await house.signIn().get()
        #expect(try await house.storedPassword(of: person).publicPart == old.publicPart)
    }

    @Test("a refused sign-in leaves one event, with the person when there is one")
    func refusedEvent() async throws {
        let house = try await PeopleHouse()
        let person = try await house.register().get().person
        _ = try await house.signIn(password: "not her password")
        _ = try await house.signIn("nobody")
        let events = try await house.events("sign-in.password")
        #expect(events.map(\.code) == ["invalid_credentials", "invalid_credentials"])
        #expect(Set(events.map(\.person)) == [nil, person.id])
    }

    @Test("after ten guesses the account is closed to passwords for a while, right or wrong")
    func accountLimit() async throws {
        var house = try await PeopleHouse()
        _ = try await house.register().get()
        for number in 0..<10 {
            house.address = "192.0.2.\(number)"
            #expect(try await house.signIn(password: "wrong guess").code == .invalidCredentials)
        }
        guard case .failure(let refusal) = try await house.signIn() else { return }
        #expect(refusal.code == UserFacingRefusal.tooManyAttempts.rawValue)
        #expect((1...900).contains(refusal.retryAfter ?? 0))
        house.clock.advance(by: .minutes(16))
        #expect(try await house.signIn().code == nil)
    }

    @Test("unknown names are limited as known ones are")
    func unknownLimit() async throws {
        let house = try await PeopleHouse()
        for _ in 0..<10 { _ = try await house.signIn("nobody") }
        #expect(try await house.signIn("nobody").code == .tooManyAttempts)
    }

    @Test("a success starts the account's count afresh, and leaves the address's")
    func clearing() async throws {
        var house = try await PeopleHouse()
        house.limits.perAddress = 14
        _ = try await house.register().get()
        for _ in 0..<5 { _ = try await house.signIn(password: "wrong guess") }
        #expect(try await house.signIn().code == nil)
        for _ in 0..<9 { _ = try await house.signIn(password: "wrong guess") }
        // Five wrong guesses and nine more: the attempts of the address are exhausted.
        #expect(try await house.signIn().code == .tooManyAttempts)
        house.address = "198.51.100.7"
        #expect(try await house.signIn().code == nil)
    }

    @Test("addresses of one IPv6 network count together")
    func network() async throws {
        var house = try await PeopleHouse()
        house.limits.perAddress = 2
        for (number, address) in ["2001:db8::1", "2001:db8:0:0:9::2"].enumerated() {
            house.address = address
            _ = try await house.signIn("n\(number)")
        }
        house.address = "2001:db8::3"
        #expect(try await house.signIn("x").code == .tooManyAttempts)
        house.address = "2001:db8:0:1::3"
        #expect(try await house.signIn("x").code == .invalidCredentials)
    }

    @Test("a locked account is still open to its passkey")
    func passkeyUnaffected() async throws {
        let house = try await PeopleHouse()
        let (person, passkey) = try await house.keyHolder()
        for _ in 0..<11 { _ = try await house.signIn(password: "wrong guess") }
        #expect(try await house.signIn(passkey, of: person).code == nil)
    }

    @Test("a person of a neighbour project gets in nowhere else")
    func neighbour() async throws {
        let house = try await PeopleHouse()
        _ = try await house.register().get()
        let (person, passkey) = try await house.keyHolder("berta")
        let other = house.context(of: try await house.neighbour())
        let byPassword = try await CeremonyRunner(other).run(
            PasswordSignIn(username: "anna", password: Secret(PeopleHouse.password)))
        #expect(byPassword.code == .invalidCredentials)
        let options = try await PasskeyOptions.signIn(in: other).get()
        let text = try passkey.assertion(
            challenge: options.ceremony, userHandle: person.id.bytes)
        let byPasskey = try await CeremonyRunner(other).run(
            PasskeySignIn(ceremony: options.ceremony, response: house.json(text)))
        #expect(byPasskey.code == .passkeyUnknown)
    }

    @Test("options for signing in are the same for all people")
    func sameOptions() async throws {
        let house = try await PeopleHouse()
        _ = try await house.keyHolder()
        let options = try await PasskeyOptions.signIn(in: house.context).get()
        #expect(options.publicKey["allowCredentials"]?.array?.isEmpty == true)
        #expect(options.publicKey["userVerification"]?.string == "required")
    }

    @Test("challenges leave nothing; for typed names one address gets so many, apart from guesses")
    func challengesLimited() async throws {
        var house = try await PeopleHouse()
        house.limits.perAddress = 2
        let before = try await house.provider.store.maintenance.status().rows
        for _ in 0..<50 { _ = try await PasskeyOptions.signIn(in: house.context).get() }
        #expect(try await house.provider.store.maintenance.status().rows == before)
        for _ in 0..<20 {
            _ = try await PasskeyOptions.signIn(named: "x", in: house.context).get()
        }
        for _ in 0..<20 {
            let refused = try await PasskeyOptions.signIn(named: "x", in: house.context)
            #expect(refused.code == .tooManyAttempts)
        }
        await house.provider.audit.flush()
        let events = try await house.events("sign-in.passkey")
        #expect(events.map(\.code) == ["too_many_attempts"] && events.map(\.count) == [20])
        _ = try await house.register().get()
        _ = try await house.signIn().get()
        house.address = "192.0.2.2"
        _ = try await PasskeyOptions.signIn(named: "x", in: house.context).get()
        house.address = "192.0.2.1"
        house.clock.advance(by: .minutes(15))
        _ = try await PasskeyOptions.signIn(named: "x", in: house.context).get()
    }

    @Test("Attack 67: passkeys that are unknown, unsigned or too late are one event a minute each")
    func invented() async throws {
        let house = try await PeopleHouse()
        let (person, passkey) = try await house.keyHolder()
        let ceremony = try await PasskeyOptions.signIn(in: house.context).get().ceremony
        var forged = passkey
        forged.flags = 0x01
        for _ in 0..<20 {
            #expect(try await house.signIn(passkey, of: person, ceremony: "x").code != nil)
            #expect(
                try await house.signIn(house.passkey(), of: person, ceremony: ceremony).code
                    == .passkeyUnknown)
            #expect(
                try await house.signIn(forged, of: person, ceremony: ceremony).code
                    == .passkeyRefused)
        }
        await house.provider.audit.flush()
        let events = try await house.events("sign-in.passkey")
        #expect(
            events.map(\.code).sorted { ($0 ?? "") < ($1 ?? "") }
                == ["ceremony_expired", "passkey_refused", "passkey_unknown"])
        #expect(events.map(\.count) == [20, 20, 20])
    }

    @Test("a passkey challenge is answered once, and not after ten minutes")
    func passkeyReplay() async throws {
        let house = try await PeopleHouse()
        let (person, passkey) = try await house.keyHolder()
        let ceremony = try await PasskeyOptions.signIn(in: house.context).get().ceremony
        #expect(try await house.signIn(passkey, of: person, ceremony: ceremony).code == nil)
        #expect(
            try await house.signIn(passkey, of: person, ceremony: ceremony).code
                == .ceremonyExpired)
        let old = try await PasskeyOptions.signIn(in: house.context).get().ceremony
        house.clock.advance(by: .minutes(11))
        #expect(
            try await house.signIn(passkey, of: person, ceremony: old).code == .ceremonyExpired)
        #expect(
            try await house.signIn(passkey, of: person, ceremony: "x").code == .ceremonyExpired)
    }

    @Test("a registration's challenge does not sign in")
    func purposes() async throws {
        let house = try await PeopleHouse()
        let (person, passkey) = try await house.keyHolder()
        let foreign = try await house.options("berta").get().ceremony
        #expect(
            try await house.signIn(passkey, of: person, ceremony: foreign).code
                == .ceremonyExpired)
    }

    @Test("an unknown, a foreign, a cloned and an unverified passkey are refused")
    func badPasskeys() async throws {
        let house = try await PeopleHouse()
        let (person, passkey) = try await house.keyHolder()
        #expect(try await house.signIn(house.passkey(), of: person).code == .passkeyUnknown)
        var forged = try house.passkey()
        forged.credentialID = passkey.credentialID
        #expect(try await house.signIn(forged, of: person).code == .passkeyRefused)
        var unverified = passkey
        unverified.flags = 0x01
        #expect(try await house.signIn(unverified, of: person).code == .passkeyRefused)
        var counting = passkey
        counting.signCount = 7
        #expect(try await house.signIn(counting, of: person).code == nil)
        #expect(try await house.signIn(counting, of: person).code == .passkeyRefused)
    }

    @Test("the user handle must be that of the credential's owner")
    func otherHandle() async throws {
        let house = try await PeopleHouse()
        let (_, passkey) = try await house.keyHolder()
        let other = try await house.register("berta").get().person
        #expect(try await house.signIn(passkey, of: other).code == .passkeyRefused)
    }

    @Test("Attack 33: a disabled person's passkey is refused")
    func disabledPasskey() async throws {
        let house = try await PeopleHouse()
        var (person, passkey) = try await house.keyHolder()
        person.disabled = true
        _ = try await house.provider.store.people.update(person, now: house.clock.now)
        #expect(try await house.signIn(passkey, of: person).code == .invalidCredentials)
    }

    @Test("a recovery code lets in once; another person's code does not")
    func recoveryCode() async throws {
        let house = try await PeopleHouse()
        let anna = try await house.member("anna")
        _ = try await house.member("berta")
        let codes = try await AccountService(house.context, signedIn: anna)
            .makeRecoveryCodes().get()
        #expect(codes.count == 10 && Set(codes).count == 10)
        func use(_ name: String, _ code: String) async throws -> UserFacingRefusal? {
            try await CeremonyRunner(house.context).run(
                RecoveryCodeSignIn(username: name, code: code)
            ).code
        }
        #expect(try await use("berta", codes[0]) == .invalidCredentials)
        #expect(try await use("nobody", codes[0]) == .invalidCredentials)
        #expect(try await use("anna", " \(codes[0].uppercased()) ") == nil)
        #expect(try await use("anna", codes[0]) == .invalidCredentials)
        #expect(try await use("anna", "") == .invalidCredentials)
        #expect(try await use("anna", "aaaaa-aaaaa") == .invalidCredentials)
    }

    @Test("new recovery codes replace the old ones")
    func replacedCodes() async throws {
        let house = try await PeopleHouse()
        let changes = AccountService(house.context, signedIn: try await house.member())
        let old = try await changes.makeRecoveryCodes().get()
        _ = try await changes.makeRecoveryCodes().get()
        let outcome = try await CeremonyRunner(house.context).run(
            RecoveryCodeSignIn(username: "anna", code: old[0]))
        #expect(outcome.code == .invalidCredentials)
    }

    @Test("Attack 36: recovery codes are limited like passwords, by a count of their own")
    func limitedCodes() async throws {
        let house = try await PeopleHouse()
        let changes = AccountService(house.context, signedIn: try await house.member())
        let codes = try await changes.makeRecoveryCodes().get()
        func use(_ code: String) async throws -> UserFacingRefusal? {
            try await CeremonyRunner(house.context).run(
                RecoveryCodeSignIn(username: "anna", code: code)
            ).code
        }
        for _ in 0..<10 { _ = try await house.signIn(password: "wrong guess") }
        #expect(try await house.signIn().code == .tooManyAttempts)
        #expect(try await use(codes[0]) == nil)
        for _ in 0..<10 { #expect(try await use("aaaaa-aaaaa") == .invalidCredentials) }
        #expect(try await use(codes[1]) == .tooManyAttempts)
    }
}
