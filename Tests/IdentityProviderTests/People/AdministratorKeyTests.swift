// SPDX-License-Identifier: Apache-2.0
import PasswordHashing
import Primitives
import ProviderAdministration
import ProviderCore
import ProviderPeople
import Storage
import Support
import Testing

/// Where administrators need a key: which key an administrator gets by which way.
@Suite struct AdministratorKeyTests {
    private func house(_ demand: KeyDemand = .always) async throws -> PeopleHouse {
        var policy = ProjectPolicy()
        policy.administratorsNeedKey = demand
        return try await PeopleHouse(policy: policy)
    }

    private func makeOwner(_ person: Person, _ house: PeopleHouse) async throws {
        let role = Administrator(
            id: Identifier(now: house.clock.now, random: house.random), person: person.id,
            project: nil, role: .owner, createdAt: house.clock.now)
        #expect(try await house.provider.store.administrators.assign(role) == .assigned)
    }

    private func admission(
        _ signedIn: AuthenticatedSession, _ house: PeopleHouse
    ) async throws -> ConsoleAccess {
        ConsoleAccess(
            signedIn.session,
            credentials: try await house.provider.store.credentials.credentials(
                of: signedIn.person.id),
            needsKey: house.project.administratorsNeedKey, now: house.clock.now)
    }

    /// The session that begins with a registration.
    private func begin(
        _ binding: RegistrationBinding, _ house: PeopleHouse
    ) async throws -> AuthenticatedSession {
        try await SessionService(provider: house.provider).start(
            person: binding.person, factor: binding.factor, tenant: house.tenant,
            facts: house.facts, replacing: nil
        ).0
    }

    @Test("Attack 77: a password enrols no key that opens the console")
    func password() async throws {
        let house = try await house()
        let olga = try await house.member("olga")
        try await makeOwner(olga.person, house)
        #expect(try await admission(olga, house) == .keyMissing)
        let key = try house.securityKey()
        #expect(try await house.add(key, for: olga).awaitsApproval)
        let shown = try await house.signIn(key, of: olga.person).get().signedIn
        for session in [olga, shown] {
            #expect(try await admission(session, house) == .approvalNeeded)
        }
        // Nor does a second key, which the first one adds.
        #expect(try await house.add(try house.securityKey(), for: shown).awaitsApproval)
        #expect(try await house.events("console.approval.awaited").count == 2)
        let waiting = try await house.provider.store.credentials.credentialsAwaitingApproval().map(
            \.id)
        #expect(waiting.count == 2)
        try await AwaitedApprovals(house.context).approve(
            Set(waiting), of: olga.person, by: nil
        ).get()
        #expect(try await admission(shown, house) == .enough)
        #expect(try await !house.add(try house.securityKey(), for: shown).awaitsApproval)
    }

    @Test("where a password opens the console, it adds a key as well")
    func notDemanded() async throws {
        let house = try await house(.never)
        let olga = try await house.member("olga")
        try await makeOwner(olga.person, house)
        #expect(try await !house.add(try house.securityKey(), for: olga).awaitsApproval)
    }

    @Test(
        "Attack 77: the session of a set-up link adds a key, a later sign-in with its password none"
    )
    func setUp() async throws {
        for isLater in [false, true] {
            let house = try await house()
            let url = try await SetUpLink(
                house.provider, project: house.project.id, now: house.clock.now
            ).issue(for: house.tenant)
            let token = try #require(url.split(separator: "=").last)
            let binding = try await house.register("olga", setUpToken: String(token)).get()
            var olga = try await begin(binding, house)
            if isLater {
                house.clock.advance(by: .minutes(1))
                olga = try await house.signIn("olga").get().signedIn
            }
            let key = try house.securityKey()
            #expect(try await house.add(key, for: olga).awaitsApproval == isLater)
            let shown = try await house.signIn(key, of: olga.person).get().signedIn
            #expect(try await admission(shown, house) == (isLater ? .approvalNeeded : .enough))
        }
    }

    @Test("Attack 77: the session of an invitation adds a key, that of a first password none")
    func invited() async throws {
        for isInvited in [true, false] {
            let house = try await house()
            let bea = Person(
                id: Identifier(now: house.clock.now, random: house.random),
                project: house.project.id, username: "bea", createdAt: house.clock.now)
            #expect(try await house.provider.store.people.create(bea, with: []) == .created)
            try await makeOwner(bea, house)
            let binding = try await (isInvited ? invitation(of: bea, house) : first(of: bea, house))
            let signedIn = try await begin(binding, house)
            let key = try await house.add(try house.securityKey(), for: signedIn)
            #expect(key.awaitsApproval == !isInvited)
        }
    }

    private func invitation(
        of bea: Person, _ house: PeopleHouse
    ) async throws -> RegistrationBinding {
        let sent = try await Invitation(house.context).send(
            to: bea, lifetime: .days(1), byMail: false)
        let token = try #require(sent?.url?.split(separator: "=").last)
        return try await CeremonyRunner(house.context).run(
            PasswordRegistration(invitation: String(token), password: Secret(PeopleHouse.password))
        ).get()
    }

    private func first(of bea: Person, _ house: PeopleHouse) async throws -> RegistrationBinding {
        let phc = try await house.provider.passwords.hash(
            try #require(Password(Secret("handed over on a card"))))
        let password = Credential(
            id: Identifier(now: house.clock.now, random: house.random), project: bea.project,
            person: bea.id, kind: .password, externalID: bea.id.bytes,
            publicPart: Array(phc.utf8), details: PasswordDetails(mustChange: true).json,
            createdAt: house.clock.now)
        #expect(try await house.provider.store.credentials.add(password))
        let outcome = try await house.signIn("bea", password: "handed over on a card")
        guard case .failure(let refusal) = outcome, let ticket = refusal.ticket else {
            throw HarnessError("a first password signed in")
        }
        return try await CeremonyRunner(house.context).run(
            FirstPasswordChange(ticket: ticket, password: Secret(PeopleHouse.password))
        ).get()
    }
}
