// SPDX-License-Identifier: Apache-2.0
import AgentClient
import Foundation
import Primitives
import SingleSignOn
import Support
import Testing

@testable import Agent

/// A person starts a registration while the device registers by itself.
@Suite struct AgentPatienceTests {
    private let served = ScriptedExtension()
    private let setting = SignInSetting()

    @Test("Who registers while the machine does so by itself waits for it, and is not refused")
    func waits() async throws {
        let (held, release) = AsyncStream<Void>.makeStream()
        served.next { _ in for await _ in held {} }
        served.answer(user: [.failedNoRetry])
        try setting.install(TestProfile(token: "grt_1"))
        let agent = try await setting.agent(serving: served)
        let anna = Task {
            try await agent.registerPerson("anna", repair: false, ScriptedConversation())
        }
        try await eventually("she waits") { await agent.conversations["anna"].map { _ in true } }
        #expect(served.registrations.isEmpty)
        release.finish()
        await #expect(throws: AgentRefusal("registration_failed", "")) { try await anna.value }
        #expect(served.registrations.count == 1)
    }

    @Test("Who gives up is what the status says of it until it is tried again")
    func givenUp() async throws {
        let (held, release) = AsyncStream<Void>.makeStream()
        served.answer(device: [.userInterfaceRequired])
        try setting.install(TestProfile(token: "grt_1"))
        let agent = try await setting.agent(serving: served)
        try await eventually("it waits for somebody") {
            await agent.record.registrations.devices[.everyone]?.phase == .waiting ? true : nil
        }
        served.next { _ in for await _ in held {} }
        let root = Task {
            try await agent.registerDevice(by: "root", repair: false, ScriptedConversation())
        }
        try await eventually("somebody sits there") { served.calls.count == 2 ? true : nil }
        await agent.cancelled("bea")
        #expect(await agent.status(of: nil).devices.first?.phase == "registering")
        await agent.cancelled("root")
        await #expect(throws: AgentRefusal("registration_failed", "")) { try await root.value }
        let device = await agent.status(of: nil).devices.first
        #expect(device?.phase == "retrying" && device?.reason == "given up")
        release.finish()
        setting.clock.advance(by: .minutes(15))
        await agent.woke()
        try await eventually("it has registered") {
            let device = await agent.status(of: nil).devices.first
            return device?.phase == "registered" && device?.reason == nil ? true : nil
        }
    }
}
