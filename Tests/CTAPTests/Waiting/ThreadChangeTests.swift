// SPDX-License-Identifier: Apache-2.0
import CTAP
import Glibc
import Primitives
import Support
import Testing

/// What a ceremony over a socket costs in changes of threads, counted.
@Suite(.timeLimit(.minutes(5))) struct ThreadChangeTests {
    /// A key that stays open from one ceremony to the next.
    private struct OpenKey: AuthenticatorDevice {
        let description = AuthenticatorDescription(id: "open", kind: .stream, name: "open")
        let transport: HIDTransport

        func open() async throws(TransportError) -> any AuthenticatorTransport {
            Kept(transport: transport)
        }
    }

    private struct Kept: AuthenticatorTransport {
        let transport: HIDTransport
        var speaksCTAP2: Bool { true }
        var speaksU2F: Bool { false }

        func exchange(
            _ message: AuthenticatorMessage, limit: Duration,
            keepalive: @escaping @Sendable (CTAPHIDKeepalive) -> Void
        ) async throws(TransportError) -> [UInt8] {
            try await transport.exchange(message, limit: limit, keepalive: keepalive)
        }

        func cancel() { transport.cancel() }
        func close() {}
    }

    @Test("Client and key wait once for each message, and the client once for its caller")
    func pair() async throws {
        var ends: [Int32] = [0, 0]
        try #require(
            socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
        let key = try SoftwareAuthenticator(
            store: MemoryAuthenticatorStore(), gesture: AutomaticGesture(), clock: ManualClock(),
            random: SeededRandom())
        let served = try EmulatedSecurityKey(key, random: SeededRandom())
            .serve(on: .connection(file: ends[0], packets: false))
        let thread = try AuthenticatorThread()
        let transport = try await HIDTransport(
            FileReportStream(
                descriptor: ends[1], framing: .plain, clock: SystemMonotonicClock(),
                thread: thread),
            random: SeededRandom(seed: 2), thread: thread)
        let client = SecurityKeyClient(
            source: FixedAuthenticators([OpenKey(transport: transport)]),
            interaction: TestPerson(), random: SeededRandom(seed: 3), thread: thread)
        var (clientRests, keyRests): ([Int], [Int]) = ([], [])
        for _ in 0..<16 {
            let before = (thread.rests, key.rests)
            let registration = try await client.register(
                ClientFixture.creation(), caller: ClientFixture.caller)
            var request = ClientFixture.request()
            request.allowCredentials = [CTAPCredentialDescriptor(id: registration.credentialId)]
            _ = try await client.signIn(request, caller: ClientFixture.caller)
            clientRests.append(thread.rests - before.0)
            keyRests.append(key.rests - before.1)
        }
        // A machine that is busy with other things adds keep-alives: the least of many counts.
        // Two messages in each of two ceremonies; between ceremonies the client's thread rests.
        #expect(try #require(clientRests.min()) <= 6, "\(clientRests)")
        #expect(try #require(keyRests.min()) <= 4, "\(keyRests)")
        await transport.closed()
        await served.ended()
    }
}
