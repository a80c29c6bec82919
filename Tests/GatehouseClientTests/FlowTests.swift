// SPDX-License-Identifier: Apache-2.0
import Foundation
import GatehouseClient
import GatehouseTesting
import Testing

/// Flows prompt, accept one response, and end when they are released.
@Suite("Flows") struct FlowTests {
    private let provider: InProcessProvider
    private let client: IdentityClient

    init() async throws {
        provider = try await InProcessProvider()
        client = try provider.client(usesPIN: false)
    }

    private func browserChallenge(
        _ flow: RegistrationFlow
    ) async throws -> BrowserChallenge {
        var steps = flow.makeAsyncIterator()
        guard case .browser(let challenge)? = try await steps.next() else {
            throw InProcessProvider.Unexpected()
        }
        return challenge
    }

    @Test("A browser registers somebody, who is signed in then, and registered after a restart")
    func browser() async throws {
        let store = InMemorySecureStore()
        let keys = InMemoryKeyStore()
        let client = try provider.client(store: store, keys: keys, usesPIN: false)
        let flow = client.register()
        let browser = try await ScriptedBrowser("anna", at: provider)
        for try await step in flow {
            guard case .browser(let challenge) = step else { continue }
            #expect(challenge.url?.absoluteString.contains("code_challenge_method=S256") == true)
            #expect(challenge.url?.absoluteString.contains("dpop_jkt=") == true)
            try await challenge.present(with: browser)
        }
        let outcome = try await flow.outcome
        #expect(outcome.isNewProfile && outcome.profile.hasSignInKey && !outcome.profile.hasPIN)
        #expect(outcome.profile.installationID != nil)
        #expect(outcome.profile.username == "anna")
        let again = try provider.client(store: store, keys: keys)
        #expect(try await again.profiles == [outcome.profile])
        let token = try await again.session(for: nil).accessToken()
        #expect(token.scopes.contains("registration"))
        #expect(
            outcome.session.idToken?.claim("sub", as: String.self) == outcome.profile.userID)
    }

    @Test("The same person in the same browser is the same profile")
    func samePerson() async throws {
        var ids: [Profile.ID] = []
        for _ in 0..<2 {
            let flow = client.register()
            let challenge = try await browserChallenge(flow)
            try await challenge.present(with: try await ScriptedBrowser("anna", at: provider))
            let outcome = try await flow.outcome
            ids.append(outcome.profile.id)
            #expect(outcome.isNewProfile == (ids.count == 1))
        }
        #expect(ids[0] == ids[1])
        #expect(try await client.profiles.count == 1)
    }

    @Test("What is ephemeral leaves no profile, no record and no key")
    func ephemeral() async throws {
        let store = InMemorySecureStore()
        let keys = InMemoryKeyStore()
        let client = try provider.client(store: store, keys: keys)
        let flow = client.register(persistence: .ephemeral)
        try await browserChallenge(flow).present(
            with: try await ScriptedBrowser("anna", at: provider))
        let session = try await flow.outcome.session
        #expect(try await session.accessToken().isBoundToKey)
        provider.clock.advance(by: .seconds(3700))
        _ = try await session.accessToken()
        #expect(try await client.profiles.isEmpty)
        #expect(try await store.kinds() == ["provider"])
        #expect(try await keys.keyNames().isEmpty)
    }

    @Test("An answer of another ceremony is not taken, and the challenge waits on")
    func foreignAnswer() async throws {
        let flow = client.register()
        let challenge = try await browserChallenge(flow)
        for text in [
            "com.example.app:/callback?code=a&state=b", "com.example.app:/callback",
            "com.example.app:/callback?state=a&state=a",
        ] {
            #expect(throws: IdentityError.made(.registration, .redirectMismatch)) {
                try challenge.respond(with: try #require(.init(string: text)))
            }
        }
        try await challenge.present(with: try await ScriptedBrowser("anna", at: provider))
        #expect(try await flow.outcome.isNewProfile)
    }

    @Test("A second answer is refused")
    func secondAnswer() async throws {
        let flow = client.register()
        let challenge = try await browserChallenge(flow)
        let browser = try await ScriptedBrowser("anna", at: provider)
        try await challenge.present(with: browser)
        await #expect(throws: IdentityError.made(.registration, .challengeAlreadyAnswered)) {
            try await challenge.present(with: browser)
        }
    }

    @Test("Cancelling a challenge, or letting go of it, cancels the registration")
    func cancelled() async throws {
        let flow = client.register()
        try await browserChallenge(flow).cancel()
        await #expect(throws: IdentityError.made(.generic, .cancelled)) { try await flow.outcome }
        let other = client.register()
        await #expect(throws: IdentityError.made(.generic, .cancelled)) {
            for try await _ in other {}
        }
        #expect(try await client.profiles.isEmpty)
    }

    @Test("Waiting for the end without taking the steps cancels, instead of waiting for ever")
    func nobodyThere() async throws {
        await #expect(throws: IdentityError.made(.generic, .cancelled)) {
            try await client.register().outcome
        }
    }

    @Test("Cancelling the task takes back the request that is under way")
    func cancelledTask() async throws {
        let wire = FaultyTransport(provider)
        wire.next("/registration/challenge", .hangs)
        let client = try provider.client(transport: wire)
        let testKey = try provider.testKey()
        let task = Task { try await client.registration(.credential(testKey)).outcome }
        while wire.count("/registration/challenge") == 0 { await Task.yield() }
        task.cancel()
        await #expect(throws: IdentityError.self) { try await task.value }
        while wire.cancelled.isEmpty { await Task.yield() }
        #expect(wire.cancelled.first?.hasSuffix("/registration/challenge") == true)
        #expect(try await client.pendingRegistrations.isEmpty)
    }

    @Test("An error of the provider's page is the registration's")
    func refusedInBrowser() async throws {
        struct Denied: BrowserPresenter {
            func answer(to request: BrowserRequest) async throws -> BrowserResponse {
                let page = try #require(
                    request.url(redirectingTo: InProcessProvider.redirectURI))
                let asked = try #require(BrowserRequest.parameters(of: page))
                return BrowserResponse(
                    parameters: [
                        "error": "access_denied", "state": try #require(asked["state"]),
                        "iss": InProcessProvider.issuer,
                    ], redirectURI: InProcessProvider.redirectURI)
            }
        }
        let flow = client.register()
        try await browserChallenge(flow).present(with: Denied())
        await #expect(throws: IdentityError.made(.registration, .cancelled)) {
            try await flow.outcome
        }
        #expect(try await client.profiles.isEmpty)
    }

    @Test("An answer that comes before anybody waits for it counts, and the first one only")
    func earlyAnswer() async throws {
        let slot = OneShotContinuation<Int>()
        #expect(slot.finish(.success(7)))
        #expect(!slot.finish(.success(8)))
        slot.abandon()
        #expect(try await slot.answer() == 7)
        await #expect(throws: IdentityError.self) { try await slot.answer() }
    }
}

extension InProcessProvider {
    struct Unexpected: Error {}
}
