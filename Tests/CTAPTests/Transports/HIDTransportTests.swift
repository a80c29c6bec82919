import CTAP
import Glibc
// SPDX-License-Identifier: Apache-2.0
import Platform
import Support
import Testing

@Suite struct HIDTransportTests {
    /// - Parameter patience: How long the key may be silent, in milliseconds; the exchange may
    ///   take twice that. Short only where nothing but the limit ends it.
    private func failure(
        _ misbehaviour: FaultInjection, patience: Int64 = 60_000
    ) async throws -> TransportError? {
        let device = try SocketDevice(misbehaviour, silence: patience)
        let limit = Duration.milliseconds(2 * patience)
        do throws(TransportError) {
            let transport = try await device.open()
            let reply = try await transport.exchange(.ctap2([4]), limit: limit) { _ in }
            transport.close()
            Issue.record("a reply of \(reply.count) bytes to \(misbehaviour)")
            return nil
        } catch { return error }
    }

    @Test("Attack 35: a key with endless keep-alives is abandoned at the limit")
    func endlessKeepalive() async throws {
        #expect(try await failure(.endlessKeepalive, patience: 200) == .timedOut)
    }

    @Test(
        "Attack 35: a key that says nothing, or to others, or not to the end, is given up",
        arguments: [FaultInjection.silence, .wrongChannel, .wrongNonce, .unfinishedAnswer])
    func silent(misbehaviour: FaultInjection) async throws {
        let error = try await failure(misbehaviour, patience: 200)
        // A keep-alive that was not finished may come first; then the answer begins inside it.
        let isInside = error == .protocolViolation("a message inside another")
        #expect(error == .timedOut || (misbehaviour == .unfinishedAnswer && isInside))
    }

    @Test(
        "Attack 35: packets out of order end the exchange",
        arguments: [FaultInjection.sequenceGap, .repeatedPacket])
    func sequence(misbehaviour: FaultInjection) async throws {
        #expect(try await failure(misbehaviour) == .protocolViolation("packets out of order"))
    }

    @Test("Attack 35: a length beyond any message, and a reply to another command, are refused")
    func malformed() async throws {
        #expect(
            try await failure(.excessiveLength)
                == .protocolViolation("a length beyond any message"))
        #expect(
            try await failure(.wrongCommand) == .protocolViolation("a reply to another command"))
    }

    @Test("Attack 35: packets of another channel between those of the answer do no harm")
    func interleaved() async throws {
        let transport = try await SocketDevice(.interleavedChannels).open()
        let reply = try await transport.exchange(.ctap2([4]), limit: .seconds(60)) { _ in }
        #expect(reply.first == 0)
        transport.close()
    }

    @Test("Attack 35: a cancelled task ends the operation on the key, and the key works on")
    func cancel() async throws {
        let gesture = ScriptedGesture()
        gesture.waitForCancel()
        let key = try SoftwareAuthenticator(
            store: MemoryAuthenticatorStore(), gesture: gesture, clock: ManualClock(),
            random: SeededRandom())
        let transport = try await SocketDevice(key).open()
        let (touches, touched) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            try await transport.exchange(.ctap2([0x0B]), limit: .seconds(60)) { status in
                if status == .userPresenceNeeded { touched.yield() }
            }
        }
        for await _ in touches { break }
        task.cancel()
        #expect(try await task.value == [CTAPStatus.keepaliveCancel.rawValue])
        let info = try await transport.exchange(.ctap2([4]), limit: .seconds(60)) { _ in }
        #expect(info.first == 0)
        transport.close()
    }

    @Test("Attack 35: a key whose end is closed is removed, and what is closed here is closed")
    func closing() async throws {
        var ends: [Int32] = [-1, -1]
        #expect(
            socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends)
                == 0)
        close(ends[1])
        let clock = SystemMonotonicClock()
        let stream = try FileReportStream(
            descriptor: Descriptor(rawValue: ends[0]), framing: .plain, clock: clock)
        await #expect(throws: TransportError.removed) {
            try await HIDTransport(stream, clock: clock, random: SeededRandom())
        }
        await #expect(throws: TransportError.closed) { try await stream.write([]) }
        let transport = try await SocketDevice(.frozenCounter).open()
        transport.close()
        // The close has gone before this on the same thread, or cancels it.
        await #expect(throws: TransportError.self) {
            for _ in 0..<2 {
                _ = try await transport.exchange(.ctap2([4]), limit: .seconds(60)) { _ in }
                await Task.yield()
            }
            _ = try await transport.exchange(.ctap2([0x0B, 0]), limit: .seconds(60)) { _ in }
            throw TransportError.closed
        }
    }

    @Test("a client registers and signs in over a real stream of reports")
    func wholeCeremony() async throws {
        let key = try SoftwareAuthenticator(
            store: MemoryAuthenticatorStore(), gesture: AutomaticGesture(), clock: ManualClock(),
            random: SeededRandom())
        func client() throws -> SecurityKeyClient {
            SecurityKeyClient(
                source: FixedAuthenticators([try SocketDevice(key)]), interaction: TestPerson(),
                random: SeededRandom(seed: 5), delay: TestDelay())
        }
        let registration = try await client().register(
            ClientFixture.creation(), caller: ClientFixture.caller)
        var request = ClientFixture.request()
        request.allowCredentials = [CTAPCredentialDescriptor(id: registration.credentialId)]
        let assertion = try await client().signIn(request, caller: ClientFixture.caller)
        #expect(assertion.credentialId == registration.credentialId)
    }
}
