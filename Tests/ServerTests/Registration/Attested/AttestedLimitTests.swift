// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import AttestationSupport
import HTTPTypes
import JOSE
import Primitives
import ProviderCore
import ProviderInstallations
import Storage
import Support
import Testing

/// The limits of the people that apps register with evidence about an app or a device alone.
@Suite struct AttestedLimitTests {
    private let attested: AttestedHouse

    init() async throws { attested = try await AttestedHouse() }

    private var store: any ProviderStore { attested.house.provider.store }
    private var now: Timestamp { attested.house.oauth.clock.now }

    private func budgets() async throws -> [AttemptBudget] {
        let tenant = try #require(try await attested.house.provider.tenant(named: "default"))
        let context = CeremonyContext(
            provider: attested.house.provider, tenant: tenant, facts: attested.house.oauth.facts,
            writer: SilentWriter())
        return RegistrationBudgets(in: context).all
    }

    /// Counts registrations of others, until `left` are possible.
    private func use(_ budget: AttemptBudget, leaving left: Int) async throws {
        for _ in left..<budget.limit {
            _ = try await store.attempts.recordAttempt(
                bucket: budget.bucket, limit: budget.limit, window: RegistrationBudgets.window,
                now: now)
        }
    }

    private func register(
        id: Identifier<AppRegistrationRequest>? = nil, key: AppKey? = nil
    ) async throws -> (status: Int, body: JSONObject, headers: HTTPFields) {
        let key = try key ?? AppKey()
        let request = try await attested.request(.playIntegrity, key: key, id: id) {
            try attested.play($1)
        }
        return try await attested.house.send(request)
    }

    private func people() async throws -> Int64 {
        try await store.installations.countPeople(
            of: attested.house.oauth.tenant.project.id,
            origin: AppRegistrationMethod.playIntegrity.rawValue)
    }

    @Test("Attack 91: a network that registers new people with attestations reaches a limit")
    func network() async throws {
        let budget = try await budgets()[0]
        #expect(budget.limit == 1000)
        try await use(budget, leaving: 1)
        let (key, id) = (try AppKey(), attested.house.newID())
        #expect(try await register(id: id, key: key).status == 201)
        let refused = try await register()
        #expect(refused.status == 429 && refused.body["code"]?.string == "too_many_attempts")
        #expect(refused.headers[.retryAfter] == "86400")
        #expect(try await people() == 1)
        // A repeated registration gets its response, and a further person none.
        #expect(try await register(id: id, key: key).status == 200)
        #expect(try await register().status == 429)
        attested.house.oauth.clock.advance(by: RegistrationBudgets.window)
        #expect(try await register().status == 201)
    }

    @Test("Attack 91: new people from many networks reach the limit of the project")
    func project() async throws {
        let budget = try await budgets()[1]
        #expect(budget.limit == 10_000)
        try await use(budget, leaving: 0)
        let refused = try await register()
        #expect(refused.status == 429 && refused.body["code"]?.string == "too_many_attempts")
        #expect(try await people() == 0)
    }

    @Test("evidence of an issuer, which names the person, has no such limit")
    func issuer() async throws {
        for budget in try await budgets() { try await use(budget, leaving: 0) }
        let registered = try await attested.house.registered(try AppKey())
        #expect(!registered.userID.isEmpty)
    }

    @Test("a refused registration does not count")
    func refusedEvidence() async throws {
        let budget = try await budgets()[0]
        let key = try AppKey()
        let nonce = try await attested.house.nonce("playIntegrity")
        for _ in 0..<2 {
            let request = try await attested.request(.playIntegrity, key: key, nonce: nonce) {
                try attested.play($1)
            }
            _ = try await attested.house.send(request)
        }
        #expect(
            try await store.attempts.attempts(in: [budget.bucket], now: now)[budget.bucket]?.count
                == 1)
    }
}
