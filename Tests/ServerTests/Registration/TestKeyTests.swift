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

@Suite struct TestKeyTests {
    private let house: RegistrationHouse

    init() async throws { house = try await RegistrationHouse() }

    private func request(
        _ signer: JOSESigner, _ token: IssuedToken? = nil
    ) async throws
        -> AppRegistrationRequest
    {
        try await house.request(
            .testKey, token: (token ?? house.testToken(UUIDText.make())).signed(by: signer),
            key: AppKey())
    }

    @Test(
        "A test key registers as many people as its tests like; each is marked",
        arguments: [JWSAlgorithm.rs256, .es256])
    func registers(algorithm: JWSAlgorithm) async throws {
        let signer = try await house.addTestKey(algorithm)
        for _ in 0..<3 {
            let answer = try await house.send(request(signer))
            #expect(answer.status == 201)
            let id = try #require(Identifier<Person>(answer.body["user_id"]?.string ?? ""))
            let person = try #require(try await house.provider.store.people.person(id))
            #expect(person.origin == "testKey" && person.realm == IssuedToken.testIssuer)
        }
    }

    @Test("A test that lost its answer asks again, under another name, with the same key")
    func repeats() async throws {
        let signer = try await house.addTestKey()
        let key = try AppKey()
        let first = try await house.request(
            .testKey, token: house.testToken("a").signed(by: signer), key: key)
        let answer = try await house.send(first)
        let again = try await house.request(
            .testKey, token: house.testToken("b").signed(by: signer), key: key,
            id: first.registrationID)
        let repeated = try await house.send(again)
        #expect(repeated.status == 200 && repeated.body.withoutNext == answer.body.withoutNext)
    }

    @Test("In production it is refused, unless switched on")
    func production() async throws {
        let signer = try await house.addTestKey()
        try await house.change { $0.environment = .production }
        #expect(try await house.outcome(request(signer)) == "test_key_refused")
        let tenant = try #require(try await house.provider.tenant(named: "default"))
        let keys = TestRegistrationKeys(house.provider, tenant: tenant, facts: house.oauth.facts)
        guard case .failure(let refusal) = try await keys.make(.es256, name: "", owner: "") else {
            Issue.record("a test key was made in production")
            return
        }
        #expect(refusal.code == "test_key_refused")
        try await house.change { $0.policy.registration.testKeysInProduction = true }
        #expect(try await house.outcome(request(signer)) == "registered")
    }

    @Test("A token that is no text is malformed; none at all is missing")
    func tokenKinds() async throws {
        var request = try await house.request(.testKey, token: "", key: AppKey())
        request.evidence = JSONObject([.init(name: "token", value: 7)])
        #expect(try await house.outcome(request) == "malformed_input")
        request.evidence = JSONObject()
        #expect(try await house.outcome(request) == "missing_input")
    }

    @Test("Neither kind of key passes for the other")
    func kinds() async throws {
        let signer = try await house.addTestKey()
        let asFederation = try await house.request(
            token: house.testToken().signed(by: signer))
        #expect(try await house.outcome(asFederation) == "token_refused")
        #expect(
            try await house.outcome(request(house.signer, house.token())) == "token_refused")
        let answer = try await house.signIn(try house.testToken().signed(by: signer))
        #expect(try house.oauth.error(answer) == "invalid_grant")
    }

    @Test("A test key's installation must bring a key; its token names the test audience")
    func needs() async throws {
        let signer = try await house.addTestKey()
        let keyless = try await house.request(
            .testKey, token: house.testToken().signed(by: signer))
        #expect(try await house.outcome(keyless) == "missing_input")
        var token = house.testToken()
        token.audience = IssuedToken.usualAudience
        #expect(try await house.outcome(request(signer, token)) == "token_refused")
    }

    @Test("A revoked key is no longer accepted; its people stay until they are deleted")
    func revoked() async throws {
        let signer = try await house.addTestKey()
        let made = try await house.send(request(signer))
        let id = try #require(Identifier<Person>(made.body["user_id"]?.string ?? ""))
        let keys = TestRegistrationKeys(
            house.provider, tenant: house.oauth.tenant, facts: house.oauth.facts)
        let kid = try #require(try await keys.all().first?.kid)
        #expect(try await keys.revoke(kid: kid))
        #expect(try await !keys.revoke(kid: kid))
        #expect(try await !keys.revoke(kid: "k1"))
        #expect(try await house.outcome(request(signer)) == "token_refused")
        #expect(try await house.provider.store.people.person(id) != nil)
        #expect(try await keys.sweep(olderThan: .seconds(1)) == 0)
        house.oauth.clock.advance(by: .seconds(10))
        let later = TestRegistrationKeys(
            house.provider, tenant: house.oauth.tenant, facts: house.oauth.facts)
        #expect(try await later.sweep(olderThan: .seconds(1)) == 1)
        #expect(try await house.provider.store.people.person(id) == nil)
        #expect(try await house.provider.store.people.person(house.oauth.anna.id) != nil)
    }
}
