// SPDX-License-Identifier: Apache-2.0
import Foundation
import GatehouseClient
import GatehouseTesting
import Storage
import Synchronization
import Testing

/// Registering by an identity provider of the operator's own, in one step and in two.
@Suite("Custom registration") struct CustomRegistrationTests {
    private let provider: InProcessProvider
    private let wire: FaultyTransport
    private let store = InMemorySecureStore()
    private let keys = InMemoryKeyStore()
    private let client: IdentityClient
    private let letters = Letters()

    init() async throws {
        provider = try await InProcessProvider()
        wire = FaultyTransport(provider)
        client = try provider.client(store: store, keys: keys, transport: wire)
        try await provider.change { $0.policy.registration.pin.use = "off" }
        let letters = letters
        try await provider.addIdentityProvider("letter", twoStep: true) { letters.answer($0) }
        try await provider.addIdentityProvider("badge", twoStep: false) { letters.answer($0) }
    }

    /// What was asked, as "stage status data".
    private func register(
        with name: String, saying words: String?..., id: UUID = UUID()
    ) async throws -> (outcome: RegistrationOutcome, asked: [String]) {
        let flow = client.register(with: name, idempotencyKey: id)
        var words = words[...]
        var asked: [String] = []
        for try await step in flow {
            guard case .custom(let challenge) = step else { continue }
            let payload = challenge.payload.map { " \($0.status) \($0.data ?? "-")" } ?? ""
            asked.append("\(challenge.stage)\(payload)")
            guard let word = words.popFirst() else {
                challenge.cancel()
                continue
            }
            try challenge.respond(with: word)
        }
        return (try await flow.outcome, asked)
    }

    @Test("The providers of the project are listed, and only those that can be used")
    func lists() async throws {
        func custom() async throws -> [IdentityProvider] {
            try await client.identityProviders.filter { $0.kind == .custom }
        }
        let listed = try await custom()
        #expect(listed.map(\.id).sorted() == ["badge", "letter"])
        #expect(Set(listed.map(\.method)) == [.customOneStep, .customTwoStep])
        try await provider.change { $0.policy.registration.identityProviders[0].enabled = false }
        #expect(try await custom().map(\.id) == ["badge"])
    }

    @Test("In two steps data go both ways, and the person is signed in at the end")
    func twoSteps() async throws {
        let (outcome, asked) = try await register(with: "letter", saying: "anna", "9137")
        #expect(asked == ["start", "complete 2100 a letter is on its way"])
        #expect(outcome.profile.username == "anna" && outcome.isNewProfile)
        #expect(outcome.providerAnswer?.data == "welcome")
        _ = try await outcome.session.accessToken()
        #expect(letters.seen == ["start anna -", "complete 9137 code=9137"])
        #expect(try await client.pendingRegistrations.isEmpty)
    }

    @Test("In one step the service is asked once")
    func oneStep() async throws {
        let (outcome, asked) = try await register(with: "badge", saying: "9137")
        #expect(asked == ["complete"] && outcome.profile.hasSignInKey)
        #expect(letters.seen == ["complete 9137 -"])
    }

    @Test("Whoever registers again keeps the profile")
    func again() async throws {
        let first = try await register(with: "letter", saying: "anna", "9137").outcome
        let second = try await register(with: "letter", saying: "anna", "9137").outcome
        #expect(second.profile.id == first.profile.id && !second.isNewProfile)
        #expect(try await keys.keyNames().count == 1)
    }

    @Test("Try again: the challenge comes anew with the service's word, in either step")
    func triesAgain() async throws {
        let (outcome, asked) = try await register(
            with: "letter", saying: "nobody", "anna", "1", nil, "9137")
        #expect(
            asked == [
                "start", "start 4404 who?", "complete 2100 a letter is on its way",
                "complete 4001 another code", "complete 4001 another code",
            ])
        #expect(outcome.profile.username == "anna")
        #expect(letters.seen.last == "complete 9137 code=9137 2")
    }

    @Test("Try again, with a PIN: what was chosen is kept, and counts")
    func triesAgainWithPIN() async throws {
        try await provider.change { $0.policy.registration.pin.use = "required" }
        let flow = client.register(with: "badge")
        var words = ["1", "9137"]
        var pins = 0
        for try await step in flow {
            switch step {
            case .custom(let challenge): try challenge.respond(with: words.removeFirst())
            case .createPIN(let challenge):
                pins += 1
                try challenge.respond(with: try PIN("24681"))
            case .browser, .enterPIN: Issue.record("not needed")
            }
        }
        #expect(try await flow.outcome.profile.hasPIN && pins == 1 && words.isEmpty)
    }

    // MARK: Refusals

    @Test("A refusal for good says what the service said, and leaves nothing")
    func refused() async throws {
        do {
            _ = try await register(with: "letter", saying: "anna", "stolen")
            Issue.record("registered")
        } catch let error as IdentityError {
            #expect(error.code == .identityProviderRefused && error.legacyCode == 10022)
            #expect(error.providerAnswer?.status == 5001)
            #expect(error.providerAnswer?.data == "call us")
        }
        #expect(try await keys.keyNames().isEmpty)
        #expect(try await client.pendingRegistrations.isEmpty)
        #expect(letters.seen.last == "complete stolen code=9137")
    }

    @Test("A refusal of the first step is the end, and nothing is to be cancelled")
    func refusedAtStart() async throws {
        await #expect(throws: IdentityError.made(.registration, .identityProviderRefused)) {
            _ = try await register(with: "letter", saying: "stolen")
        }
        #expect(letters.seen == ["start stolen -"])
    }

    @Test("A service that does not answer is told from one that refuses")
    func unavailable() async throws {
        await #expect(throws: IdentityError.made(.registration, .identityProviderUnavailable)) {
            _ = try await register(with: "badge", saying: "silence")
        }
        #expect(
            IdentityError.made(.registration, .identityProviderUnavailable).legacyCode == 10024)
        #expect(IdentityError.made(.registration, .identityProviderUnavailable).retry == .later)
    }

    @Test("A provider that is not there is said so, and nobody is asked")
    func unknown() async throws {
        await #expect(throws: IdentityError.made(.registration, .identityProviderInvalid)) {
            _ = try await register(with: "carrier-pigeon", saying: "x")
        }
        #expect(letters.seen.isEmpty)
    }

    @Test("A second step that comes too late has expired")
    func expires() async throws {
        let flow = client.register(with: "letter")
        await #expect(throws: IdentityError.made(.registration, .expired)) {
            for try await step in flow {
                guard case .custom(let challenge) = step else { continue }
                if challenge.stage == .complete { provider.clock.advance(by: .seconds(601)) }
                try challenge.respond(with: "anna")
            }
        }
        #expect(IdentityError.made(.registration, .expired).legacyCode == 10021)
    }

    @Test("Too many guesses are the provider's to bound")
    func bounded() async throws {
        await #expect(throws: IdentityError.made(.registration, .tooManyRequests)) {
            _ = try await register(
                with: "badge", saying: "1", "2", "3", "4", "5", "6", "7")
        }
        #expect(letters.seen.count == 5)
    }

    @Test("More than the service may be told is refused here, and the challenge waits on")
    func tooLong() async throws {
        let flow = client.register(with: "badge")
        for try await case .custom(let challenge) in flow {
            #expect(throws: IdentityError.made(.registration, .requestInvalid)) {
                try challenge.respond(with: String(repeating: "x", count: 8193))
            }
            try challenge.respond(with: "9137")
            #expect(throws: IdentityError.made(.registration, .challengeAlreadyAnswered)) {
                try challenge.respond(with: "9137")
            }
        }
        #expect(try await flow.outcome.isNewProfile)
    }

    // MARK: Cancelled and cut off

    @Test("Cancelling between the steps reaches the service")
    func cancels() async throws {
        await #expect(throws: IdentityError.made(.generic, .cancelled)) {
            _ = try await register(with: "letter", saying: "anna")
        }
        while letters.seen.count < 2 { await Task.yield() }
        #expect(letters.seen == ["start anna -", "cancel - code=9137"])
        #expect(try await keys.keyNames().isEmpty)
        #expect(try await client.pendingRegistrations.isEmpty)
    }

    @Test("So does a task that is cancelled while the person thinks")
    func cancelledTask() async throws {
        let client = client
        let (waiting, isWaiting) = AsyncStream<Void>.makeStream()
        let task = Task {
            let flow = client.register(with: "letter")
            var held: [CustomChallenge] = []
            for try await case .custom(let challenge) in flow {
                if challenge.stage == .start {
                    try challenge.respond(with: "anna")
                } else {
                    held.append(challenge)
                    isWaiting.yield()
                }
            }
            return held.count
        }
        var waits = waiting.makeAsyncIterator()
        _ = await waits.next()
        task.cancel()
        await #expect(throws: IdentityError.self) { try await task.value }
        while letters.seen.count < 2 { await Task.yield() }
        #expect(letters.seen.last == "cancel - code=9137")
    }

    @Test("Cancelling before the first step has nobody to tell")
    func cancelsAtStart() async throws {
        await #expect(throws: IdentityError.made(.generic, .cancelled)) {
            _ = try await register(with: "letter")
        }
        #expect(wire.count("/registration/cancel") == 0)
    }

    @Test("A lost answer is found again without asking the person or the service")
    func lostAnswer() async throws {
        let id = UUID()
        wire.next("/registration", .answerLost)
        await #expect(throws: IdentityError.made(.registration, .notReachable)) {
            _ = try await register(with: "letter", saying: "anna", "9137", id: id)
        }
        #expect(try await client.pendingRegistrations.map(\.method) == [.customTwoStep])
        let (outcome, asked) = try await register(with: "letter", id: id)
        #expect(asked.isEmpty && outcome.profile.username == "anna")
        #expect(letters.seen.count == 2)
    }

    @Test("A lost request is asked for anew, under the same name")
    func lostRequest() async throws {
        let id = UUID()
        wire.next("/registration", .requestLost)
        await #expect(throws: IdentityError.made(.registration, .notReachable)) {
            _ = try await register(with: "letter", saying: "anna", "9137", id: id)
        }
        let (outcome, asked) = try await register(with: "letter", saying: "anna", "9137", id: id)
        #expect(asked.count == 2 && outcome.profile.username == "anna")
        #expect(try await client.pendingRegistrations.isEmpty)
    }
}

/// A service that sends codes and knows one person, anna. Records its requests.
private final class Letters: Sendable {
    private let questions = Mutex<[String]>([])

    var seen: [String] { questions.withLock { $0 } }

    func answer(_ question: IdentityProviderRequest) -> IdentityProviderResponse? {
        questions.withLock {
            $0.append(
                "\(question.step.rawValue) \(question.data ?? "-") \(question.state ?? "-")")
        }
        switch (question.step, question.data) {
        case (_, "silence"): return nil
        case (_, "stolen"): return .init(status: 5001, data: "call us")
        case (.start, "anna"):
            return .init(status: 2100, data: "a letter is on its way", state: "code=9137")
        case (.start, _): return .init(status: 4404, data: "who?")
        case (.complete, "9137"):
            return .init(status: 2000, data: "welcome", username: "anna")
        case (.complete, _):
            return .init(status: 4001, data: "another code", state: "code=9137 2")
        case (.cancel, _): return .init(status: 2000)
        }
    }
}
