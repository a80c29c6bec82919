// SPDX-License-Identifier: Apache-2.0
import Foundation
import Primitives
import SingleSignOn
import Support
import Testing

@testable import Agent

/// Somebody is at the terminal before the machine is done with itself.
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
}
