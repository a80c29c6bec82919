// SPDX-License-Identifier: Apache-2.0
import PasswordHashing
import Primitives
import Storage
import StorageSQLite
import Support
import Testing

@testable import ProviderCore
@testable import ProviderPeople

/// Attempt limits affect only the attacker.
@Suite struct GuessBudgetTests {
    private let folder = TestFolder()

    /// Returns a fixture of people with passwords, without the cost of validating each.
    private static func houseOfMany(_ count: Int) async throws -> PeopleHouse {
        let house = try await PeopleHouse()
        let password = try #require(Password(Secret(PeopleHouse.password)))
        for number in 0..<count {
            let application = SignUpForm(username: "person\(number)")
            let steps = PasswordRegistration(
                application: application,
                password: Secret(PeopleHouse.password))
            let id: Identifier<Person> = house.context.newIdentifier()
            let person = try application.applicant(id, in: house.context).get()
            _ = try await steps.commit(
                PasswordRegistration.Evidence(person: person, password: password),
                house.context
            ).get()
        }
        return house
    }

    @Test(
        "Attack 68: 2,000 people behind one address sign in by password; a guesser there is stopped"
    )
    func crowdByPassword() async throws {
        let house = try await Self.houseOfMany(2_000)
        for number in 0..<2_000 {
            #expect(try await house.signIn("person\(number)").code == nil)
            house.clock.advance(by: TimeSpan(milliseconds: 100))
        }
        for number in 0..<house.limits.perAddress {
            let outcome = try await house.signIn("person\(number)", password: "a guess")
            #expect(outcome.code == .invalidCredentials)
        }
        let right = try await house.signIn("person1999")
        #expect(right.code == .tooManyAttempts)
    }

    @Test("Attack 68: 2,000 people behind one address sign in by passkey, guesser or not")
    func crowdByPasskey() async throws {
        let house = try await PeopleHouse()
        let (person, passkey) = try await house.keyHolder()
        for number in 0...house.limits.perAddress {
            _ = try await house.signIn("nobody\(number)", password: "a guess")
        }
        for _ in 0..<2_000 {
            #expect(try await house.signIn(passkey, of: person).code == nil)
            house.clock.advance(by: TimeSpan(milliseconds: 100))
        }
    }

    @Test("Attack 68: 200 correct logins of one person at once all succeed")
    func parallel() async throws {
        let house = try await PeopleHouse()
        _ = try await house.register().get()
        for _ in 0..<9 { _ = try await house.signIn(password: "a guess") }
        let codes = try await withThrowingTaskGroup(of: UserFacingRefusal?.self) { group in
            for _ in 0..<200 { group.addTask { try await house.signIn().code } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(codes.count == 200 && codes.allSatisfy { $0 == nil })
    }

    @Test(
        "Attack 36: a correct response after exhausted attempts is reported like a wrong one"
    )
    func overtaken() async throws {
        let house = try await PeopleHouse()
        _ = try await house.register().get()
        let budgets = GuessBudgets.password(of: nil, named: "anna", in: house.context)
        let outcome = try await budgets.attempt { () -> Result<Int, CeremonyRefusal> in
            for _ in 0..<10 { _ = try await house.signIn(password: "a guess") }
            return .success(1)
        }
        #expect(outcome.mapError(\.refusal).code == .tooManyAttempts)
    }

    @Test("Attack 36: a right password of a disabled person is counted like a wrong one")
    func disabled() async throws {
        let house = try await PeopleHouse()
        var person = try await house.register().get().person
        person.disabled = true
        _ = try await house.provider.store.people.update(person, now: house.clock.now)
        for _ in 0..<10 { #expect(try await house.signIn().code == .invalidCredentials) }
        #expect(try await house.signIn().code == .tooManyAttempts)
    }

    @Test(
        "Attack 68: who is guessed at elsewhere gets in where they have been, with as many guesses")
    func knownBrowser() async throws {
        var house = try await PeopleHouse()
        let anna = try await house.register().get().person
        let bert = try await house.register("bert").get().person
        for _ in 0..<10 { _ = try await house.signIn(password: "a guess") }
        for number in 0..<100 { _ = try await house.signIn("n\(number)", password: "a guess") }
        #expect(try await house.signIn().code == .tooManyAttempts)
        let cookie = try #require(
            try KnownBrowser.cookie(
                adding: anna.id, to: nil, in: house.tenant, of: house.provider, now: house.clock.now
            ))
        let secrets = house.provider.secrets
        house.knownBrowser = KnownBrowser.read(
            cookie, of: house.project.id, secrets: secrets, now: house.clock.now)
        #expect(try await house.signIn().code == nil)
        // It says nothing for others, and not without end for her.
        #expect(try await house.signIn("bert").code == .tooManyAttempts)
        for _ in 0..<10 {
            #expect(try await house.signIn(password: "a guess").code == .invalidCredentials)
        }
        #expect(try await house.signIn().code == .tooManyAttempts)
        // It is valid in its project only, and keeps its name if another person signs in.
        let other = try await house.neighbour().project.id
        #expect(KnownBrowser.read(cookie, of: other, secrets: secrets, now: house.clock.now) == nil)
        #expect(
            KnownBrowser.read(
                cookie + "A", of: house.project.id, secrets: secrets, now: house.clock.now) == nil)
        let both = try #require(
            try KnownBrowser.cookie(
                adding: bert.id, to: house.knownBrowser, in: house.tenant, of: house.provider,
                now: house.clock.now))
        let read = KnownBrowser.read(
            both, of: house.project.id, secrets: secrets, now: house.clock.now)
        #expect(read?.id == house.knownBrowser?.id && read?.people == [bert.id, anna.id])
        #expect(
            try KnownBrowser.cookie(
                adding: bert.id, to: read, in: house.tenant, of: house.provider,
                now: house.clock.now) == nil)
    }

    @Test("Attack 68: many known browsers of one person share a budget")
    func manyKnownBrowsers() async throws {
        var house = try await PeopleHouse()
        let anna = try await house.register().get().person
        let secrets = house.provider.secrets
        var cookie = ""
        for browser in 0...10 {
            cookie = try #require(
                try KnownBrowser.cookie(
                    adding: anna.id, to: nil, in: house.tenant, of: house.provider,
                    now: house.clock.now))
            house.knownBrowser = KnownBrowser.read(
                cookie, of: house.project.id, secrets: secrets, now: house.clock.now)
            let expected = browser < 10 ? UserFacingRefusal.invalidCredentials : .tooManyAttempts
            for _ in 0..<10 {
                #expect(try await house.signIn(password: "a guess").code == expected)
            }
        }
        house.clock.advance(by: house.limits.window)
        #expect(try await house.signIn().code == nil)
        // A later sign-in of another person in that browser does not extend the cookie.
        let bert = try await house.register("bert").get().person
        let both = try #require(
            try KnownBrowser.cookie(
                adding: bert.id, to: house.knownBrowser, in: house.tenant, of: house.provider,
                now: house.clock.now))
        house.clock.advance(by: .days(400))
        for old in [cookie, both] {
            let read = KnownBrowser.read(
                old, of: house.project.id, secrets: secrets, now: house.clock.now)
            #expect(read == nil)
        }
    }

    @Test("Attack 36: processes that share a database share the counts")
    func processes() async throws {
        let path = folder.path("shared.sqlite")
        let now = ManualClock().now
        let first = try await SQLiteStore.open(path: path)
        let second = try await SQLiteStore.open(path: path)
        for number in 0..<6 {
            _ = try await (number.isMultiple(of: 2) ? first : second).attempts.recordAttempt(
                bucket: [1], limit: 6, window: .minutes(15), now: now)
        }
        for store in [first, second] {
            let counted = try await store.attempts.attempts(in: [[1]], now: now)
            #expect(counted[[1]]?.count == 6)
            await store.maintenance.close()
        }
    }

    @Test("Attack 68: a thousand refusals after a limit are one event of the audit trail")
    func refusalsAreCounted() async throws {
        let house = try await PeopleHouse()
        for _ in 0..<1_010 { _ = try await house.signIn("nobody", password: "a guess") }
        await house.provider.audit.flush()
        let events = try await house.events("sign-in.password")
        #expect(events.count { $0.code == "invalid_credentials" } == 10)
        #expect(events.filter { $0.code == "too_many_attempts" }.map(\.count) == [1_000])
    }

    @Test("The audit trail keeps events as long as the setting says")
    func retention() async throws {
        let store = try await SQLiteStore.open(
            path: folder.path("store.sqlite"), auditRetention: .days(3))
        let house = try await PeopleHouse()
        _ = try await store.projects.save(house.project)
        try await store.auditLog.append([
            AuditEvent(
                id: Identifier(now: house.clock.now, random: house.random),
                project: house.project.id, at: house.clock.now, action: "test",
                outcome: .accepted, address: "192.0.2.1", requestID: "r", details: "{}", count: 1)
        ])
        let now = house.clock.now
        #expect(try await store.maintenance.sweep(now: now + .days(2), batch: 9).deleted == 0)
        #expect(try await store.maintenance.sweep(now: now + .days(4), batch: 9).deleted == 1)
        await store.maintenance.close()
    }
}
