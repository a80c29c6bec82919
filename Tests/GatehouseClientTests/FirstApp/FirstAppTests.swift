// SPDX-License-Identifier: Apache-2.0
import GatehouseClient
import GatehouseTesting
import Storage
import Synchronization
import Testing

/// The tutorial's app, `Examples/FirstApp`. `FirstSteps.swift` in this directory belongs to it.
@Suite("The tutorial's app") struct FirstAppTests {
    private let provider: InProcessProvider
    private let wire: FaultyTransport
    private let store = InMemorySecureStore()
    private let keys = InMemoryKeyStore()

    init() async throws {
        provider = try await InProcessProvider()
        try await provider.change { $0.policy.registration.pin.use = "required" }
        wire = FaultyTransport(provider)
    }

    /// The app as it is when it has just been started.
    private func start(_ typist: Typist = Typist([])) throws -> FirstSteps {
        let client = try provider.client(store: store, keys: keys, transport: wire)
        return FirstSteps(client: client) { try typist.answer($0) }
    }

    @Test("A test key registers somebody, whose PIN has to be a good one")
    func registers() async throws {
        let typist = Typist(["11111", "246", "24681"])
        let profile = try await start(typist).register(with: provider.testKey(name: "anna"))
        #expect(profile.hasPIN && profile.username.hasPrefix("anna-"))
        #expect(typist.questions.first == "Choose a PIN of 5 digits: ")
        #expect(typist.questions.count == 3)
        #expect(typist.questions.dropFirst().allSatisfy { $0.hasPrefix("Another one, ") })
    }

    @Test("Started again it asks nobody; signed out, it asks for the PIN until it is right")
    func signsIn() async throws {
        #expect(try await start().signInSilently() == nil)
        let profile = try await start(Typist(["24681"])).register(with: provider.testKey())
        #expect(try await start().signInSilently()?.profile == profile)
        try await start().client.signOut(profile.id)
        #expect(try await start().signInSilently() == nil)
        let typist = Typist(["97135", "24681"])
        #expect(try await start(typist).signIn(profile).profile == profile)
        let question = "PIN of \(profile.username)"
        #expect(typist.questions == ["\(question): ", "\(question), 4 attempts left: "])
        #expect(try await start().signInSilently()?.profile == profile)
    }

    @Test("An hour later they are signed in still: the tutorial's own test")
    func tutorial() async throws {
        let provider = try await InProcessProvider()
        let steps = FirstSteps(client: try provider.client()) { _ in "24681" }
        let profile = try await steps.register(with: provider.testKey())
        provider.clock.advance(by: .seconds(3700))
        #expect(try await steps.signInSilently()?.profile == profile)
    }

    @Test("Nobody at the keyboard is nobody registered")
    func nobodyTypes() async throws {
        await #expect(throws: (any Error).self) {
            try await start().register(with: provider.testKey())
        }
        #expect(try await start().client.profiles.isEmpty)
    }

    @Test("A browser registers somebody beside them, and each is removed")
    func browser() async throws {
        let first = try await start(Typist(["24681"])).register(with: provider.testKey())
        let anna = try await start(Typist(["24681"])).registerInBrowser(
            try await ScriptedBrowser("anna", at: provider))
        #expect(anna.username == "anna" && anna.hasPIN)
        #expect(try await start().signInSilently()?.profile == anna)
        #expect(try await start().remove(anna) == "anna is removed.")
        wire.isDown = true
        let said = try await start().remove(first)
        #expect(said.hasPrefix("\(first.username) is removed here; the provider does not know: "))
        #expect(try await start().client.profiles.isEmpty)
    }
}

/// Enters prepared values, one for each prompt.
private final class Typist: Sendable {
    private let state: Mutex<(answers: [String], questions: [String])>

    init(_ answers: [String]) { state = Mutex((answers, [])) }

    var questions: [String] { state.withLock { $0.questions } }

    func answer(_ question: String) throws -> String {
        try state.withLock { state in
            state.questions.append(question)
            guard !state.answers.isEmpty else { throw CancellationError() }
            return state.answers.removeFirst()
        }
    }
}
