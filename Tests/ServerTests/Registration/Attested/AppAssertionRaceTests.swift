// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import AttestationSupport
import Testing

/// Assertions of one attested app that reach the provider at the same moment.
@Suite struct AppAssertionRaceTests {
    private let attested: AttestedHouse
    private let made: AppAttestation
    private let key: AppKey
    private let user: String

    init() async throws {
        attested = try await AttestedHouse()
        made = try AppAttestation(authority: attested.authority)
        key = try AppKey()
        user = try await attested.registered(made, key).userID
    }

    /// Whether each signs in: those of `others` just before the assertion with the first counter
    /// is counted, one for each time that this is tried.
    private func signIn(
        _ counter: UInt8, overtakenBy others: [UInt8]
    ) async throws -> (first: Bool, others: [Bool]) {
        let answers = Answers()
        var works: [@Sendable () async throws -> Void] = []
        for other in others {
            let ready = try await assertion(other)
            works.append { [attested] in
                await answers.add(try await attested.signIn(ready.token, ready.app))
            }
        }
        let own = try await assertion(counter)
        attested.house.oauth.engine.interrupt("sign_count = $3", by: works)
        let isIn = try await attested.signIn(own.token, own.app)
        return (isIn, await answers.all)
    }

    private func assertion(_ counter: UInt8) async throws -> (token: String, app: String) {
        let token = try await attested.assertion(user, key)
        return (token, try attested.appAssertion(over: token, by: made.key, counter: counter))
    }

    private actor Answers {
        private(set) var all: [Bool] = []
        func add(_ answer: Bool) { all.append(answer) }
    }

    @Test("an assertion that one before it overtakes is verified once more, and signs in")
    func overtaken() async throws {
        let outcome = try await signIn(2, overtakenBy: [1])
        #expect(outcome.first && outcome.others == [true])
        // The counter is the later one's now.
        let again = try await assertion(2)
        #expect(try await !attested.signIn(again.token, again.app))
        let next = try await signIn(6, overtakenBy: [3, 4, 5])
        #expect(next.first && next.others == [true, true, true])
    }

    @Test("Attack 2: an assertion that one after it overtakes, or one with its counter, is refused")
    func late() async throws {
        let later = try await signIn(1, overtakenBy: [2])
        #expect(!later.first && later.others == [true])
        let same = try await signIn(3, overtakenBy: [3])
        #expect(!same.first && same.others == [true])
    }

    @Test("a newly attested key replaces the old one for a concurrent sign-in, in every order")
    func attestedAnew() async throws {
        let next = try AppAttestation(authority: attested.authority)
        let id = attested.house.newID()
        let (made, key) = (try AppAttestation(authority: attested.authority), try AppKey())
        func request(_ app: AppAttestation) async throws -> AppRegistrationRequest {
            try await attested.request(.appAttest, key: key, id: id) {
                try attested.appAttest(app, $1)
            }
        }
        let first = try await attested.house.send(try await request(made))
        let user = try #require(AppRegistrationResponse(first.body)).userID
        func signIn(_ app: AppAttestation, _ counter: UInt8) async throws -> Bool {
            let token = try await attested.assertion(user, key)
            return try await attested.signIn(
                token, attested.appAssertion(over: token, by: app.key, counter: counter))
        }
        // The sign-in has been verified by the first key, and has not been counted yet.
        let anew = try await request(next)
        attested.house.oauth.engine.interrupt(
            "sign_count = $3",
            by: [{ [attested] in _ = try await attested.house.send(anew) }])
        #expect(try await !signIn(made, 1))
        #expect(try await signIn(next, 1))
        // The other way round: an assertion is counted while the key is being renewed.
        let token = try await attested.assertion(user, key)
        let app = try attested.appAssertion(over: token, by: next.key, counter: 2)
        attested.house.oauth.engine.interrupt(
            "sign_count = $3", by: [{ [attested] in _ = try await attested.signIn(token, app) }])
        let last = try AppAttestation(authority: attested.authority)
        #expect(try await attested.house.send(try await request(last)).status == 200)
        #expect(try await signIn(last, 1))
        #expect(try await !signIn(next, 9))
    }

    @Test("an assertion that is overtaken again and again is refused in the end")
    func bounded() async throws {
        let outcome = try await signIn(9, overtakenBy: [1, 2, 3, 4])
        #expect(!outcome.first && outcome.others == [true, true, true, true])
        let next = try await assertion(9)
        #expect(try await attested.signIn(next.token, next.app))
    }
}
