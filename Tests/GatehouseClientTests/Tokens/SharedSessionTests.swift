// SPDX-License-Identifier: Apache-2.0
import Foundation
import GatehouseClient
import GatehouseTesting
import Storage
import Testing

/// Several clients with one store, as several processes have, and several installations of a
/// person.
@Suite("Sessions that are shared") struct SharedSessionTests {
    private let provider: InProcessProvider
    private let store = InMemorySecureStore()
    private let keys = InMemoryKeyStore()
    private let one: IdentityClient
    private let other: IdentityClient

    init() async throws {
        provider = try await InProcessProvider()
        one = try provider.client(store: store, keys: keys)
        other = try provider.client(store: store, keys: keys)
    }

    @Test(
        "Whoever signs out here is signed out in every process, whatever they have in memory",
        arguments: [SignOutScope.thisDevice, .everywhere, .localOnly])
    func signedOut(_ scope: SignOutScope) async throws {
        let profile = try await one.register(.credential(provider.testKey())).profile
        try await one.signIn(.deviceKey)
        let there = try await other.session()
        _ = try await there.accessToken()
        try await one.signOut(profile.id, scope)
        provider.clock.advance(by: .seconds(3700))
        await #expect(throws: IdentityError.made(.authentication, .notSignedIn)) {
            try await there.accessToken()
        }
        await #expect(throws: IdentityError.made(.authentication, .notSignedIn)) {
            try await one.session()
        }
        // Signed in again here, they are there too.
        try await one.signIn(.deviceKey)
        #expect(try await there.accessToken() == one.session().accessToken())
    }

    @Test("Everywhere means everywhere, also for somebody who is signed out here")
    func everywhere() async throws {
        let issuer = try await provider.addIssuer()
        let profile = try await one.register(.credential(issuer("anna"))).profile
        let browser = try provider.client()
        let session = try await browser.signIn(.credential(issuer("anna")))
        #expect(session.profile.userID == profile.userID)
        var request = ResourceRequest(InProcessProvider.issuer + "/userinfo")
        try await session.authorize(&request)
        #expect(try await one.signOut(profile.id, .everywhere).isComplete)
        #expect(try await provider.response(to: request).status == 401)
    }

    @Test("Tokens that cannot be read are not ended at the provider, and it says so")
    func unreadable() async throws {
        let profile = try await one.register(.credential(provider.testKey())).profile
        try await one.signIn(.deviceKey)
        let name = try #require(
            try await store.names().first { $0.rawValue.hasPrefix("tokens.") })
        try await store.write([1, 2, 3], to: name)
        guard case .localOnly(let error) = try await other.signOut(profile.id) else {
            Issue.record("the refresh token lives on")
            return
        }
        #expect(error.code == .storageDamaged)
    }

    @Test("Two changes of one PIN at once: both end, and the PIN of the later one counts")
    func changesAtOnce() async throws {
        let flow = one.registration(.credential(try provider.testKey()))
        for try await case .createPIN(let challenge) in flow {
            try challenge.respond(with: try PIN("24681"))
        }
        let profile = try await flow.outcome.profile
        try await withThrowingTaskGroup(of: Void.self) { group in
            for client in [one, other] {
                group.addTask {
                    // The second process has the wrong old PIN then, and enters the new one.
                    var old = ["24681", "58263"].makeIterator()
                    let change = client.changePIN(of: profile.id)
                    for try await step in change {
                        switch step {
                        case .enterPIN(let challenge):
                            try challenge.respond(with: try PIN(old.next() ?? ""))
                        case .createPIN(let challenge):
                            try challenge.respond(with: try PIN("58263"))
                        }
                    }
                    _ = try await change.outcome
                }
            }
            try await group.waitForAll()
        }
        let signIn = other.authenticate(profile.id)
        for try await case .enterPIN(let challenge) in signIn {
            #expect(challenge.attempts == nil)
            try challenge.respond(with: try PIN("58263"))
        }
        #expect(try await signIn.outcome.profile == profile)
    }

    /// Registers with that PIN.
    private func choose(_ pin: String, in flow: RegistrationFlow) async throws -> Profile {
        for try await case .createPIN(let challenge) in flow {
            try challenge.respond(with: try PIN(pin))
        }
        return try await flow.outcome.profile
    }

    /// The action of the other process during a prompt.
    enum Meanwhile: CaseIterable, Sendable { case changes, registersAnew }

    @Test(
        "While somebody types another process gives them another PIN: that one counts",
        arguments: Meanwhile.allCases)
    func changedMeanwhile(_ act: Meanwhile) async throws {
        let issuer = try await provider.addIssuer()
        try await provider.change { $0.policy.registration.secondInstallations = true }
        let profile = try await choose(
            "24681", in: one.registration(.credential(try issuer("anna"))))
        let signIn = one.authenticate(profile.id)
        var steps = signIn.makeAsyncIterator()
        guard case .enterPIN(let challenge)? = try await steps.next() else {
            Issue.record("nobody is asked")
            return
        }
        switch act {
        case .registersAnew:
            let anew = try await choose(
                "58263", in: other.registration(.credential(try issuer("anna"))))
            #expect(anew.id == profile.id)
        case .changes:
            let change = other.changePIN(of: profile.id)
            for try await step in change {
                switch step {
                case .enterPIN(let old): try old.respond(with: try PIN("24681"))
                case .createPIN(let new): try new.respond(with: try PIN("58263"))
                }
            }
            _ = try await change.outcome
        }
        try challenge.respond(with: try PIN("58263"))
        if case .enterPIN(let again)? = try await steps.next() {
            Issue.record("asked again: \(String(describing: again.attempts))")
            again.cancel()
        }
        #expect(try await signIn.outcome.profile.id == profile.id)
    }
}
