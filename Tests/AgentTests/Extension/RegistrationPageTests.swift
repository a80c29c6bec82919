import Agent
// SPDX-License-Identifier: Apache-2.0
import AgentClient
import JOSE
import OAuth
import PlatformSSO
import Primitives
import SingleSignOn
import Support
import Testing
import UserClient

/// People who register a key where no password is taken: by a page of the provider, or with a phone.
@Suite struct RegistrationPageTests {
    private let setting = SignInSetting()
    private let pages: PlayedPages
    private let relay = Relay()

    init() throws { pages = try PlayedPages(clock: setting.clock) }

    /// Signs in where they are told to.
    private struct PagePerson: AgentConversation {
        let pages: PlayedPages
        let hasBrowser: Bool

        func ask(_ question: AgentPrompt) async throws -> String {
            switch question {
            case .line: return "anna@example.com"
            case .code: return ""
            case .page(let url):
                let mark = try #require(url.firstIndex(of: "?"))
                let fields = try #require(
                    CallbackQuery.read(target: "/callback" + url[mark...]))
                pages.expect(nonce: fields["nonce"])
                let (back, state) = (fields["redirect_uri"] ?? "", fields["state"] ?? "")
                let answer = "\(back)?code=c1&state=\(FormEncoding.encode(state))"
                _ = try await WebClient().send("GET", answer)
                return ""
            default: throw PresentationError.cancelled
            }
        }

        func report(_ step: AgentStep) async {}

        /// Returns when the task is cancelled.
        func end() async {
            let (stream, _) = AsyncStream<Void>.makeStream()
            for await _ in stream {}
        }
    }

    /// A machine that is registered, and a provider that takes Anna's key once it is.
    private func machine() async throws -> (Agent, PlayedProvider) {
        let clock = setting.clock
        let exchange = ProviderExchange(web: pages, clock: clock, random: SystemRandomSource())
        let served = GatehouseExtension(exchange: exchange, keys: setting.keys) { seconds in
            clock.advance(by: .seconds(seconds))
        }
        return try await setting.registered(
            TestProfile(token: "t", method: "UserSecureEnclaveKey", frequency: nil), relay: relay,
            serving: BuiltInExtensions(served))
    }

    private func register(
        _ agent: Agent, repair: Bool, hasBrowser: Bool
    ) async throws {
        try await agent.registerPerson(
            "anna", repair: repair, PagePerson(pages: pages, hasBrowser: hasBrowser))
    }

    /// Anna, signed in with the key that she registered on a page.
    private func registered(hasBrowser: Bool) async throws -> (Agent, PlayedProvider) {
        let (agent, provider) = try await machine()
        // Its key is registered before it is asked for a first login.
        relay.use(Accepting(pages: pages, provider: provider))
        try await register(agent, repair: false, hasBrowser: hasBrowser)
        #expect(await agent.record.people["anna"]?.identity?.subject == "s1")
        return (agent, provider)
    }

    /// A provider that knows the keys that were registered on its pages.
    private struct Accepting: WebTransport {
        let pages: PlayedPages
        let provider: PlayedProvider

        func answer(to request: WebRequest) async throws -> WebResponse {
            for key in pages.keys { provider.accept(.secureEnclave(key)) }
            return try await provider.answer(to: request)
        }
    }

    @Test("A sign-in on the page registers a key of the person", arguments: [true, false])
    func registers(hasBrowser: Bool) async throws {
        let (agent, _) = try await registered(hasBrowser: hasBrowser)
        #expect(await agent.record.people["anna"]?.key?.publicKey == pages.keys.last)
        try await register(agent, repair: true, hasBrowser: hasBrowser)
        #expect(pages.keys.count == 2)
        #expect(await agent.status(of: "anna").people.first?.standing == "signed_in")
    }

    @Test(
        "A device key whose response was lost is activated first; the old key registers no person"
    )
    func keyOfMachineLost() async throws {
        let (agent, provider) = try await machine()
        relay.use(Accepting(pages: pages, provider: provider))
        let before = try await setting.device(of: agent)
        pages.loseAnswer()
        await #expect(throws: AgentRefusal.notRotated) { try await agent.rotateNow() }
        let pending = try #require(
            await agent.record.devices[.everyone]?.managed.pending[.deviceSigning])
        #expect(pending != before.signing)
        // The played provider knows the device by its old key, and refuses people with this one.
        await #expect(throws: AgentRefusal.self) {
            try await register(agent, repair: false, hasBrowser: false)
        }
        let device = try #require(await agent.record.devices[.everyone])
        #expect(device.signing == pending && device.managed.pending.isEmpty)
        #expect(await agent.record.people["anna"]?.key?.publicKey == pages.keys.last)
        #expect(pages.keys.count == 1)
    }

    @Test(
        "Attack: a sign-in of another person on the page or a phone registers no key for Anna",
        arguments: [true, false])
    func anotherPerson(hasBrowser: Bool) async throws {
        let (agent, _) = try await registered(hasBrowser: hasBrowser)
        let before = try #require(await agent.record.people["anna"])
        // The user name is a successor's by now, or the token does not say whose it is.
        for other in ["s2", "S1", nil] {
            pages.letIn(other)
            await #expect(throws: AgentRefusal("registration_failed", "")) {
                try await register(agent, repair: true, hasBrowser: hasBrowser)
            }
            #expect(pages.keys.count == 1)
            #expect(
                await agent.status(of: "anna").people.first?.reason
                    == ProviderError.anotherPerson.description)
        }
        let after = try #require(await agent.record.people["anna"])
        #expect(after.key == before.key && after.identity == before.identity)
    }

    @Test(
        "After unregistration the account can be registered by another person",
        arguments: [true, false])
    func another(hasBrowser: Bool) async throws {
        let (agent, provider) = try await registered(hasBrowser: hasBrowser)
        try await agent.unregisterPerson("anna", localOnly: true)
        pages.letIn("s2")
        provider.say(["sub": "s2"])
        try await register(agent, repair: false, hasBrowser: hasBrowser)
        #expect(await agent.record.people["anna"]?.identity?.subject == "s2")
        #expect(pages.keys.count == 2)
    }
}
