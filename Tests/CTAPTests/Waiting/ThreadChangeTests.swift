// SPDX-License-Identifier: Apache-2.0
import AuthenticatorSupport
import CTAP
import Support
import Testing

/// The changes of threads and the task steps of ceremonies over a socket, counted.
@Suite(.timeLimit(.minutes(5))) struct ThreadChangeTests {
    private struct Cost {
        var clientRests: [Int] = []
        var keyRests: [Int] = []
        var clientSteps: [Int] = []
        var keySteps: [Int] = []
    }

    /// - Parameter together: Whether the caller is on the client's thread.
    private func cost(together: Bool) async throws -> Cost {
        let pair = try await SocketPair(
            interaction: TestPerson(), clock: ManualClock(), random: SeededRandom())
        var cost = Cost()
        try await withTaskExecutorPreference(together ? pair.thread.tasks : nil) {
            for _ in 0..<16 {
                let (rests, steps) = (pair.thread.rests, pair.thread.steps)
                let (keyRests, keySteps) = (pair.key.rests, pair.key.steps)
                try await Self.ceremonies(pair.client)
                cost.clientRests.append(pair.thread.rests - rests)
                cost.keyRests.append(pair.key.rests - keyRests)
                cost.clientSteps.append(pair.thread.steps - steps)
                cost.keySteps.append(pair.key.steps - keySteps)
            }
        }
        await pair.close()
        return cost
    }

    private static func ceremonies(_ client: SecurityKeyClient) async throws {
        let registration = try await client.register(
            ClientFixture.creation(), caller: ClientFixture.caller)
        var request = ClientFixture.request()
        request.allowCredentials = [CTAPCredentialDescriptor(id: registration.credentialId)]
        _ = try await client.signIn(request, caller: ClientFixture.caller)
    }

    // A busy computer causes keep-alives, so the minimum of many counts is compared.

    @Test("Client and key wait once for each message, and the client once for its caller")
    func pair() async throws {
        let cost = try await cost(together: false)
        // Two messages in each of two ceremonies; between ceremonies the client's thread rests.
        #expect(try #require(cost.clientRests.min()) <= 6, "\(cost.clientRests)")
        #expect(try #require(cost.keyRests.min()) <= 4, "\(cost.keyRests)")
    }

    @Test("A caller on the client's own thread costs no change of threads")
    func sameThread() async throws {
        let cost = try await cost(together: true)
        #expect(try #require(cost.clientRests.min()) <= 4, "\(cost.clientRests)")
        #expect(try #require(cost.keyRests.min()) <= 4, "\(cost.keyRests)")
    }

    @Test("A step that continues without waiting is not enqueued again")
    func steps() async throws {
        let cost = try await cost(together: false)
        #expect(try #require(cost.clientSteps.min()) <= 45, "\(cost.clientSteps)")
        #expect(try #require(cost.keySteps.min()) <= 16, "\(cost.keySteps)")
    }
}
