// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import HTTPTypes
import JOSE
import Primitives
import ProviderCore
import ProviderInstallations
import Storage
import Support
import Testing

/// The limits of the accounts that people remove themselves.
@Suite struct RemovalLimitTests {
    private let house: RegistrationHouse

    init() async throws {
        house = try await RegistrationHouse()
        try await house.change { $0.policy.registration.federatedDeregistration = true }
    }

    private struct Account {
        let person: Person
        let key: AppKey
    }

    private func account(_ name: String) async throws -> Account {
        let key = try AppKey()
        let id = try #require(
            Identifier<Person>(try await house.registered(key, subject: name).userID))
        let person = try #require(try await house.provider.store.people.person(id))
        #expect(person.shownName == name)
        return Account(person: person, key: key)
    }

    private func remove(
        _ account: Account
    ) async throws -> (status: Int, code: String?, wait: String?) {
        let tokens = try await house.signIn(account.key, as: account.person.id.description)
        let access = try #require(tokens["access_token"]?.string)
        let answer = try await house.call(.delete, "/registration/account", token: access)
        return (answer.status, answer.body["code"]?.string, answer.headers[.retryAfter])
    }

    private func budgets(_ person: Person) async throws -> [AttemptBudget] {
        let tenant = try #require(try await house.provider.tenant(named: "default"))
        let context = CeremonyContext(
            provider: house.provider, tenant: tenant, facts: house.oauth.facts,
            writer: SilentWriter())
        return RemovalBudgets(of: person, in: context).all
    }

    /// Counts removals of other people, until `left` are possible.
    private func use(_ budget: AttemptBudget, leaving left: Int) async throws {
        for _ in left..<budget.limit {
            _ = try await house.provider.store.attempts.recordAttempt(
                bucket: budget.bucket, limit: budget.limit, window: RemovalBudgets.window,
                now: house.oauth.clock.now)
        }
    }

    /// Expects that the account is removed and its name is held, or that neither is the case.
    private func expect(_ account: Account, isRemoved: Bool) async throws {
        let (store, person) = (house.provider.store, account.person)
        #expect(try await (store.people.person(person.id) == nil) == isRemoved)
        let isHeld = try await store.people.isHeld(
            name: person.shownName, in: person.project, now: house.oauth.clock.now)
        #expect(isHeld == isRemoved)
    }

    @Test("Attack 90: a network that registers and removes accounts reaches a limit")
    func network() async throws {
        let (bea, carla) = (try await account("bea"), try await account("carla"))
        let budget = try await budgets(bea.person)[0]
        #expect(budget.limit == 100)
        try await use(budget, leaving: 1)
        #expect(try await remove(bea).status == 204)
        try await expect(bea, isRemoved: true)
        let refused = try await remove(carla)
        #expect(refused.status == 429 && refused.code == "too_many_attempts")
        #expect(refused.wait == "86400")
        try await expect(carla, isRemoved: false)
        house.oauth.clock.advance(by: .days(1))
        #expect(try await remove(carla).status == 204)
        try await expect(carla, isRemoved: true)
    }

    @Test("Attack 90: new accounts from many networks reach a limit of their own")
    func project() async throws {
        let bea = try await account("bea")
        house.oauth.clock.advance(by: RemovalBudgets.newAge)
        let carla = try await account("carla")
        let budget = try await budgets(carla.person)[1]
        #expect(budget.limit == 1000)
        try await use(budget, leaving: 0)
        #expect(try await remove(carla).code == "too_many_attempts")
        try await expect(carla, isRemoved: false)
        #expect(try await remove(bea).status == 204)
        try await expect(bea, isRemoved: true)
        #expect(try await budgets(bea.person)[1].limit == 10_000)
        // An administrator has no limit.
        let event = house.provider.audit.prepare(
            AuditEventDraft(
                "admin.person.remove", in: carla.person.project, facts: house.oauth.facts))
        let removed = try await house.provider.store.installations.deregister(
            person: carla.person.id, recording: event)
        #expect(removed == .removed)
        try await expect(carla, isRemoved: true)
    }

    @Test("removals have no limit where no name is held, and for people of test keys")
    func unlimited() async throws {
        var bea = try await account("bea").person
        #expect(try await budgets(bea).count == 2)
        bea.origin = AppRegistrationMethod.testKey.rawValue
        #expect(try await budgets(bea).isEmpty)
        bea.origin = ""
        try await house.change { $0.policy.usernameReuseDelay = 0 }
        #expect(try await budgets(bea).isEmpty)
    }
}
