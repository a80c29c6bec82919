// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import JOSE
import Primitives
import ProviderAdministration
import ProviderCore
import ProviderPeople
import Storage
import Support
import Testing

@testable import WebPages

/// Who administers shows a key where there is one, and a recovery opens no console.
@Suite struct ConsoleKeyTests {
    private let people = "/console/projects/default/people"
    private let next = "a much better horse battery staple"

    private func key(_ house: ConsoleHouse, of person: Person) -> Credential {
        Credential(
            id: house.identifier(), project: house.home.id, person: person.id, kind: .publicKey,
            externalID: house.pages.random.bytes(32), publicPart: house.pages.random.bytes(77),
            label: "Blue key", assurance: "passkey", createdAt: house.pages.clock.now)
    }

    private func facts(_ house: ConsoleHouse) -> RequestMetadata {
        RequestMetadata(now: house.pages.clock.now, requestID: "r", address: "192.0.2.1")
    }

    private func context(_ house: ConsoleHouse) -> CeremonyContext {
        CeremonyContext(
            provider: house.pages.provider, tenant: house.pages.tenant, facts: facts(house),
            writer: LocalizedNotificationComposer(house.pages.web.translations))
    }

    /// Returns a session of a person with only these methods.
    private func session(
        _ house: ConsoleHouse, of person: Person, _ methods: [String],
        with credential: Credential? = nil
    ) async throws -> AuthenticatedSession {
        let factor = AuthenticationFactor(
            at: house.pages.clock.now, methods: methods,
            contextClass: methods == ["swk", "user", "mfa"] ? "phr" : "",
            credential: credential?.id)
        return try await SessionService(provider: house.pages.provider).start(
            person: person, factor: factor, tenant: house.pages.tenant, facts: facts(house),
            replacing: nil
        ).0
    }

    private func admission(
        _ house: ConsoleHouse, _ signedIn: AuthenticatedSession, needsKey: Bool = false
    ) async throws -> ConsoleAccess {
        ConsoleAccess(
            signedIn.session,
            credentials: try await house.store.credentials.credentials(of: signedIn.person.id),
            needsKey: needsKey, now: house.pages.clock.now)
    }

    private func signIn(_ house: ConsoleHouse, password: String) async throws -> Browser {
        var browser = house.pages.browser()
        _ = try await browser.get("/sign-in?next=console")
        _ = try await browser.submit(
            "/sign-in", ["username": "olga", "password": password, "next": "console"])
        _ = try await browser.get("/account")
        return browser
    }

    @Test("Attack 77: a password alone gives no console access to a person with a key")
    func key() async throws {
        let house = try await ConsoleHouse()
        var browser = try await house.administrator(.support)
        #expect(try await browser.get(people).status == .ok)
        let olga = try await house.pages.person("olga")
        let key = key(house, of: olga)
        #expect(try await house.store.credentials.add(key))
        let place = "/sign-in?next=console&again=1&key=1"
        for path in [people, "/console"] {
            #expect(try await browser.get(path).location == place)
        }
        let resume = "/sign-in?next=resume&again=1&key=1"
        #expect(try await browser.submit(people + "/create", [:]).location == resume)
        #expect(try await browser.get(place).text.contains("passkey or security key"))
        for needsKey in [false, true] {
            let shown = try await session(house, of: olga, ["swk", "user", "mfa"], with: key)
            #expect(try await admission(house, shown, needsKey: needsKey) == .enough)
            let password = try await session(house, of: olga, ["pwd"])
            #expect(try await admission(house, password, needsKey: needsKey) == .keyNeeded)
            // Another provider's statement about a key is not the key.
            var other = password.session
            other.factors[0].methods = ["fed", "hwk", "mfa"]
            other.factors[0].contextClass = "phr"
            let vouched = AuthenticatedSession(session: other, person: olga)
            #expect(try await admission(house, vouched, needsKey: needsKey) == .keyNeeded)
        }
    }

    @Test(
        "Attack 77: where all need a key, who has none reads what to do; production is such a place"
    )
    func demanded() async throws {
        let house = try await ConsoleHouse()
        var browser = try await house.administrator(.owner)
        var home = house.home
        for (demand, environment, isOpen) in [
            (KeyDemand.production, Project.Environment.development, true),
            (.production, .production, false), (.always, .development, false),
            (.never, .production, true),
        ] {
            home.environment = environment
            home.policy.administratorsNeedKey = demand
            _ = try await house.store.projects.save(home)
            house.pages.provider.tenants.invalidate()
            let answer = try await browser.get(people)
            #expect(answer.status == (isOpen ? .ok : .forbidden), "\(demand) \(environment)")
            #expect(answer.text.contains("Add one to your account") == !isOpen)
        }
    }

    @Test("Attack 77: an administrator whose only key waits reads who approves it")
    func waiting() async throws {
        let house = try await ConsoleHouse()
        var browser = try await house.administrator(.owner)
        var home = house.home
        home.policy.administratorsNeedKey = .always
        _ = try await house.store.projects.save(home)
        house.pages.provider.tenants.invalidate()
        #expect(try await browser.get(people).text.contains("with your password alone requires"))
        var key = key(house, of: try await house.pages.person("olga"))
        key.awaitsApproval = true
        #expect(try await house.store.credentials.add(key))
        let page = try await browser.get(people)
        #expect(page.status == .forbidden && page.text.contains("must approve"))
        #expect(page.text.contains("gatehouse admin console approve --username olga"))
        #expect(page.text.contains("gatehouse admin setup-link"))
    }

    @Test("Attack 77: who comes by a code from a mailbox gets into no console, with all they add")
    func recovery() async throws {
        let house = try await ConsoleHouse()
        _ = try await house.administrator(.owner)
        let olga = try await house.pages.person("olga")
        let recovered = try await session(house, of: olga, ["otp"])
        #expect(try await admission(house, recovered) == .approvalNeeded)
        let change = PasswordChange(signedIn: recovered, current: nil, new: Secret(next))
        guard case .success = try await CeremonyRunner(context(house)).run(change) else {
            Issue.record("the password was not changed")
            return
        }
        #expect(
            try await house.store.credentials.credentialsAwaitingApproval().map(\.person) == [
                olga.id
            ])
        var browser = try await signIn(house, password: next)
        let closed = try await browser.get(people)
        #expect(closed.status == .forbidden && closed.text.contains("must approve"))
        // Neither another password nor a key of that session makes it better.
        let again = try await session(
            house, of: olga, ["pwd"], with: house.store.credentials.credentials(of: olga.id).first)
        let second = PasswordChange(signedIn: again, current: Secret(next), new: Secret(next + "!"))
        _ = try await CeremonyRunner(context(house)).run(second)
        #expect(try await admission(house, again) != .enough)
        #expect(try await house.store.credentials.credentialsAwaitingApproval().count == 1)
    }

    @Test("a person who changes their password confirms it, and needs no approval")
    func changed() async throws {
        let house = try await ConsoleHouse()
        _ = try await house.administrator(.owner)
        let olga = try await house.pages.person("olga")
        let shown = try await session(
            house, of: olga, ["pwd"], with: house.store.credentials.credentials(of: olga.id).first)
        #expect(try await admission(house, shown) == .enough)
        let change = PasswordChange(signedIn: shown, current: nil, new: Secret(next))
        _ = try await CeremonyRunner(context(house)).run(change)
        #expect(try await house.store.credentials.credentialsAwaitingApproval().isEmpty)
        #expect(try await admission(house, shown) == .signInAgain)
        var browser = try await signIn(house, password: next)
        #expect(try await browser.get(people).status == .ok)
    }

    @Test("Attack 77: another administrator approves it, in the console; one's own is refused")
    func approval() async throws {
        let house = try await ConsoleHouse()
        var olga = try await house.administrator(.owner)
        var pia = try await house.administrator(.owner, named: "pia")
        let person = try await house.pages.person("olga")
        let lost = key(house, of: person)
        #expect(try await house.store.credentials.add(lost))
        let removal = try await house.store.credentials.remove(credential: lost.id, of: person.id) {
            _ in true
        }
        #expect(removal == .removed(lost))
        #expect(try await olga.get("/console").status == .forbidden)
        let page = try await pia.get("/console/administrators")
        #expect(page.text.contains("Pending approvals"))
        #expect(page.text.contains("Approve for olga"))
        let approve = "/console/administrators/\(person.id)/approve"
        let waiting = try await house.store.credentials.credentialsAwaitingApproval().map(\.id)
        let shown = ["credentials": waiting.map(\.description).joined(separator: " ")]
        #expect(page.text.contains("value=\"\(shown["credentials"] ?? "?")\""))
        let done = try await pia.submit(approve, shown)
        #expect(done.location == "/console/administrators?done=approved")
        #expect(try await olga.get("/console").status == .ok)
        _ = try await pia.get("/console/administrators")
        #expect(try await pia.submit(approve, shown).status != .seeOther)
        let own = try await AwaitedApprovals(context(house)).approve(
            Set(waiting), of: person, by: person.id)
        guard case .failure(let refusal) = own else {
            Issue.record("approved their own")
            return
        }
        #expect(refusal.code == "own_approval")
    }

    @Test("Attack 77: an approval covers only what its page showed")
    func shown() async throws {
        let house = try await ConsoleHouse()
        _ = try await house.administrator(.owner)
        var pia = try await house.administrator(.owner, named: "pia")
        let olga = try await house.pages.person("olga")
        let approve = "/console/administrators/\(olga.id)/approve"
        var keys = [key(house, of: olga), key(house, of: olga)]
        for index in keys.indices { keys[index].awaitsApproval = true }
        func submit(_ keys: [Credential]) async throws -> Answer {
            let ids = keys.map(\.id.description).joined(separator: " ")
            return try await pia.submit(approve, ["credentials": ids])
        }
        #expect(try await house.store.credentials.add(keys[0]))
        #expect(try await pia.get("/console/administrators").text.contains("\(keys[0].id)"))
        #expect(try await house.store.credentials.add(keys[1]))
        let all = keys.map(\.id).sorted().map(\.description).joined(separator: " ")
        for shown in [[keys[0]], []] {
            let refused = try await submit(shown)
            #expect(refused.status != .seeOther)
            // The page shows what waits now.
            #expect(refused.text.contains(all))
            #expect(try await house.store.credentials.credentialsAwaitingApproval().count == 2)
        }
        #expect(try await submit(keys).location == "/console/administrators?done=approved")
        #expect(try await house.store.credentials.credentialsAwaitingApproval().isEmpty)
    }

    @Test(
        "Attack 77: with a password one cannot add a key for the console, nor lower the requirement"
    )
    func lesser() async throws {
        let house = try await ConsoleHouse()
        var browser = try await house.administrator(.owner)
        let olga = try await house.pages.person("olga")
        let key = key(house, of: olga)
        #expect(try await house.store.credentials.add(key))
        _ = try await browser.get("/account")
        let lost = try await browser.submit("/account/credentials/\(key.id)/lost", [:])
        #expect(lost.location == "/account?done=lost")
        #expect(
            try await house.store.credentials.credentialsAwaitingApproval().map(\.kind) == [
                .password
            ])
        #expect(try await browser.get("/console").status == .forbidden)
        // A credential that awaits approval does not suffice, and the state file's password is the
        // operator's.
        var waiting = self.key(house, of: olga)
        waiting.awaitsApproval = true
        #expect(try await house.store.credentials.add(waiting))
        let shown = try await session(house, of: olga, ["swk", "user", "mfa"], with: waiting)
        #expect(try await admission(house, shown) == .approvalNeeded)
        let document: JSONValue = [
            "projects": [
                ["name": "default", "users": [["username": "olga", "password": .string(next)]]]
            ]
        ]
        _ = try await StateReconciler(house.pages.provider).apply(
            StateParser.parse(document), facts: facts(house)
        ).get()
        #expect(
            try await house.store.credentials.credentialsAwaitingApproval().map(\.kind) == [
                .publicKey
            ])
        var open = try await signIn(house, password: next)
        #expect(try await open.get("/console").status == .ok)
    }

    @Test(
        "Attack 77: support signs people out, and opens no link by which one takes an account over")
    func takeOver() async throws {
        let house = try await ConsoleHouse()
        let bea = try await house.person("bea")
        var browser = try await house.administrator(.support)
        let page = "\(people)/\(bea.id)"
        #expect(try await !browser.get(page).text.contains("/re-registration\""))
        #expect(try await browser.submit(page + "/re-registration", [:]).status == .forbidden)
        _ = try await browser.get(page)
        #expect(try await browser.submit(page + "/sign-out", [:]).status == .seeOther)
    }
}
