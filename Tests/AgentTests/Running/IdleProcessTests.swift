// SPDX-License-Identifier: Apache-2.0
import Agent
import AgentWaiting
import Foundation
import JOSE
import Platform
import PlatformSSO
import Primitives
import SingleSignOn
import Support
import Testing

/// An agent that rests, and the one that comes after it in the same process.
@Suite struct IdleProcessTests {
    private let setting = SignInSetting()

    /// Anna is signed in, and has sealed something that opens without the provider for two days.
    private func signedIn(_ relay: Relay) async throws -> (Agent, PlayedProvider, JSONObject) {
        let (agent, provider) = try await setting.registered(
            TestProfile(token: "t", frequency: 604_800, grace: 2), relay: relay)
        try await agent.registerPerson(
            "anna", repair: false, ScriptedConversation([PlayedProvider.password]))
        let sealed = try await agent.seal(Secret("the key of the disk"), of: "anna")
        return (agent, provider, sealed)
    }

    /// Once nothing is under way any more: its extension is told that it is done, for example.
    private func resting(_ agent: Agent) async throws -> IdleProcess {
        try await eventually("nothing is under way") { await agent.rest(atLeast: .seconds(30)) }
    }

    @Test(
        "What was in memory alone is there again: nothing is forgotten, and nothing lies on the disk"
    )
    func remembered() async throws {
        let relay = Relay()
        let (memory, sealed) = try await {
            let (agent, provider, sealed) = try await signedIn(relay)
            provider.goAway()
            let rest = try await resting(agent)
            return (rest.memory, sealed)
        }()
        let left = try #require(IdleProcessState(reading: try memory.pipe()))
        #expect(left == memory)
        let again = try await eventually("the lock is free") {
            try await setting.agent(relay, memory: left)
        }
        #expect(try await again.unseal(sealed, of: "anna") == Secret("the key of the disk"))
    }

    @Test("Idle time is included, also if the clock is set back in the meantime")
    func time() async throws {
        let relay = Relay()
        let running = ManualRunningClock()
        var setting = setting
        setting.running = running
        let (agent, provider) = try await setting.registered(
            TestProfile(token: "t", frequency: 604_800, grace: 2), relay: relay)
        try await agent.registerPerson(
            "anna", repair: false, ScriptedConversation([PlayedProvider.password]))
        let sealed = try await agent.seal(Secret("x"), of: "anna")
        provider.goAway()
        let memory = try await resting(agent).memory
        try FileManager.default.removeItem(atPath: setting.folder.path("state/lock"))
        running.advance(by: .seconds(3 * 86_400))
        let again = try await setting.agent(relay, memory: memory)
        await #expect(throws: AgentRefusal.self) { try await again.unseal(sealed, of: "anna") }
    }

    @Test("It does not rest while a call is open, or when something is due soon")
    func busy() async throws {
        let served = ScriptedExtension()
        let (gate, open) = AsyncStream<Void>.makeStream()
        served.next { _ in for await _ in gate { break } }
        try setting.install(TestProfile(token: "t"))
        let agent = try await setting.agent(serving: served)
        try await eventually("it is called") { served.calls.isEmpty ? nil : true }
        #expect(await agent.rest(atLeast: .seconds(30)) == nil)
        open.yield()
        _ = try await setting.device(of: agent)
        let rest = try await eventually("it is at rest") { await agent.rest(atLeast: .seconds(30)) }
        #expect(rest.wake == nil)
        served.answer(device: [.failed])
        await #expect(throws: AgentRefusal.self) {
            try await agent.registerDevice(by: "anna", repair: true, ScriptedConversation())
        }
        let waiting = try await eventually("it is at rest") {
            await agent.rest(atLeast: .seconds(30))
        }
        #expect(waiting.wake.map { $0 > setting.clock.now } == true)
        setting.clock.advance(by: .minutes(9))
        #expect(await agent.rest(atLeast: .minutes(5)) == nil)
    }

    @Test(
        "What is no memory, or was cut off, is none",
        arguments: [
            "", "{}", "nonsense", #"{"saved_at":"1","failures":{},"unlock_failures":{},"lent":{}}"#,
        ])
    func malformed(_ text: String) throws {
        var ends: [Int32] = [-1, -1]
        #expect(pipe(&ends) == 0)
        #expect(write(ends[1], text, text.utf8.count) == text.utf8.count)
        close(ends[1])
        #expect(IdleProcessState(reading: Descriptor(rawValue: ends[0])) == nil)
    }

    @Test("The waiter's words are read as they were written, and no others are")
    func words() {
        let all = (Int32(5)...9).map(Descriptor.init(rawValue:))
        let files = RestingDescriptors(
            socket: all[0], memory: all[1], lock: all[2], watched: Array(all[3...]),
            path: "/run/a b.sock")
        #expect(RestingDescriptors(files.words) == files)
        let alone = RestingDescriptors(socket: all[0], memory: all[1], lock: all[2])
        #expect(RestingDescriptors(alone.words) == alone)
        for words in [
            [], ["5", "6", "7", "8"], ["5", "6", "7", "8,x", ""], ["1", "6", "7", "", ""],
            ["5", "6", "-7", "", ""], ["5", "6", "7", "0", ""], ["99999999999", "6", "7", "", ""],
        ] {
            #expect(RestingDescriptors(words) == nil)
        }
        #expect(AgentWaiter.run(["gatehouse-waiter", "5"]) == 2)
    }

    @Test("Only a valid environment variable restores the state of an idle process")
    func left() {
        for text in ["", "5", "5 x", "0 5", "5 6 7"] {
            #expect(AgentWaiter.left([AgentWaiter.variable: text]) == nil)
        }
        #expect(AgentWaiter.left([:]) == nil)
    }
}
