// SPDX-License-Identifier: Apache-2.0
import CTAP
import Support
import Synchronization
import Testing

@Suite struct HIDConnectionTests {
    private func connection(_ stream: ScriptedReports) async throws(TransportError) -> HIDConnection
    {
        try await HIDConnection(stream, clock: stream.clock, random: SeededRandom())
    }

    /// Returns the result of an exchange of one CTAP2 message.
    private func exchange(
        _ stream: ScriptedReports, _ payload: [UInt8] = [4], limit: Int64 = 60_000,
        cancellation: ExchangeCancellation = ExchangeCancellation {},
        keepalive: (CTAPHIDKeepalive) -> Void = { _ in }
    ) async throws -> Result<[UInt8], TransportError> {
        var connection = try await connection(stream)
        do throws(TransportError) {
            return .success(
                try await connection.exchange(
                    .cbor, payload, limit: limit, cancellation: cancellation,
                    keepalive: keepalive))
        } catch { return .failure(error) }
    }

    private func failure(_ result: Result<[UInt8], TransportError>) -> TransportError? {
        if case .failure(let error) = result { error } else { nil }
    }

    private let reply = [UInt8](repeating: 0x5A, count: 300)

    @Test("a channel is asked for, and a message of several packets gets its reply")
    func proper() async throws {
        let stream = ScriptedReports.initialized { [reply] _ in .message(.cbor, reply) }
        #expect(try await exchange(stream, reply) == .success(reply))
        #expect(stream.commands == [.initialize, .cbor])
        #expect(stream.log.sent.last?.channel == ScriptedReports.channel)
        #expect(stream.log.sent.last?.payload == reply)
    }

    // MARK: INIT

    @Test("Attack 35: an INIT reply with another nonce is not ours, however often it comes")
    func nonceMismatch() async {
        let stream = ScriptedReports { message in
            [UInt8](repeating: 0, count: 100).map { _ in
                .initialization(message, nonce: [9, 9, 9, 9, 9, 9, 9, 9])
            }
        }
        await #expect(throws: TransportError.timedOut) { try await connection(stream) }
    }

    @Test("an INIT reply to another program is passed over, ours behind it is taken")
    func otherProgram() async throws {
        let stream = ScriptedReports { message in
            [
                .initialization(message, nonce: [0, 0, 0, 0, 0, 0, 0, 0]),
                .initialization(message),
            ]
        }
        await #expect(throws: Never.self) { try await connection(stream) }
    }

    @Test("a busy key receives the request again, until the time limit")
    func busy() async throws {
        let attempts = Mutex(0)
        let patient = ScriptedReports { message in
            let attempt = attempts.withLock { count in
                count += 1
                return count
            }
            return attempt < 4
                ? .message(.error, [0x06], channel: .broadcast) : [.initialization(message)]
        }
        await #expect(throws: Never.self) { try await connection(patient) }
        #expect(patient.log.sent.count == 4)
        let stubborn = ScriptedReports { _ in .message(.error, [0x06], channel: .broadcast) }
        await #expect(throws: TransportError.timedOut) { try await connection(stubborn) }
        #expect(stubborn.log.sent.count < 40)
    }

    @Test("Attack 35: a channel that cannot be is refused", arguments: [0, 0xFFFF_FFFF as UInt32])
    func impossibleChannel(number: UInt32) async {
        let stream = ScriptedReports { message in
            [.initialization(message, channel: CTAPHIDChannel(rawValue: number))]
        }
        await #expect(throws: TransportError.protocolViolation("a channel that cannot be")) {
            try await connection(stream)
        }
    }

    @Test("a key that says nothing to INIT, or an error, is given up")
    func noInitialization() async {
        await #expect(throws: TransportError.timedOut) {
            try await connection(ScriptedReports { _ in [] })
        }
        await #expect(throws: TransportError.channel(.other)) {
            try await connection(
                ScriptedReports { _ in .message(.error, [0x7F], channel: .broadcast) })
        }
        await #expect(throws: TransportError.removed) {
            try await connection(ScriptedReports { _ in [.fail(.removed)] })
        }
    }

    // MARK: Replies

    @Test("Attack 35: a reply on another channel is not ours")
    func wrongChannel() async throws {
        let stream = ScriptedReports.initialized { [reply] _ in
            .message(.cbor, reply, channel: CTAPHIDChannel(rawValue: 77))
        }
        #expect(failure(try await exchange(stream)) == .timedOut)
    }

    @Test("Attack 35: packets of another channel between ours do no harm")
    func interleaved() async throws {
        let stream = ScriptedReports.initialized { [reply] _ in
            let ours = ScriptedReports.Step.message(.cbor, reply)
            let others = ScriptedReports.Step.message(
                .cbor, reply, channel: CTAPHIDChannel(rawValue: 77))
            return zip(ours, others).flatMap { [$0, $1] }
        }
        #expect(try await exchange(stream) == .success(reply))
    }

    @Test("Attack 35: a sequence number that is left out or repeated ends the exchange")
    func sequence() async throws {
        let gap = ScriptedReports.initialized { [reply] _ in
            var steps = ScriptedReports.Step.message(.cbor, reply)
            steps.remove(at: 2)
            return steps
        }
        #expect(failure(try await exchange(gap)) == .protocolViolation("packets out of order"))
        let repeated = ScriptedReports.initialized { [reply] _ in
            var steps = ScriptedReports.Step.message(.cbor, reply)
            steps.insert(steps[1], at: 2)
            return steps
        }
        #expect(failure(try await exchange(repeated)) == .protocolViolation("packets out of order"))
    }

    @Test("Attack 35: a length beyond what packets can carry is refused at once")
    func overlong() async throws {
        let stream = ScriptedReports.initialized { _ in
            [
                .report(
                    CTAPHIDPacket.initialization(
                        ScriptedReports.channel, .cbor, length: 7610, payload: []
                    ).report)
            ]
        }
        #expect(
            failure(try await exchange(stream)) == .protocolViolation("a length beyond any message")
        )
    }

    @Test("Attack 35: a message that begins inside another ends the exchange")
    func interrupted() async throws {
        let stream = ScriptedReports.initialized { [reply] _ in
            Array(ScriptedReports.Step.message(.cbor, reply).prefix(2))
                + ScriptedReports.Step.message(.cbor, [0])
        }
        #expect(
            failure(try await exchange(stream)) == .protocolViolation("a message inside another"))
    }

    @Test("Attack 35: a report that has not 64 bytes ends the exchange", arguments: [0, 1, 63, 65])
    func shortRead(count: Int) async throws {
        let stream = ScriptedReports.initialized { _ in
            [.report([UInt8](repeating: 0, count: count))]
        }
        #expect(
            failure(try await exchange(stream))
                == .protocolViolation("a report that has not 64 bytes"))
    }

    @Test("Attack 35: a key that is unplugged inside a message is reported as removed")
    func unplugged() async throws {
        let stream = ScriptedReports.initialized { [reply] _ in
            Array(ScriptedReports.Step.message(.cbor, reply).prefix(2)) + [.fail(.removed)]
        }
        #expect(failure(try await exchange(stream)) == .removed)
    }

    @Test("Attack 35: endless keep-alives end at the limit, and the key is cancelled")
    func endlessKeepalive() async throws {
        let stream = ScriptedReports.initialized { message in
            guard message.command == .cbor else { return [] }
            return (0..<5000).flatMap { _ in
                ScriptedReports.Step.message(.keepalive, [1]) + [.nothing(99)]
            }
        }
        let start = stream.clock.milliseconds
        #expect(failure(try await exchange(stream, limit: 30_000)) == .timedOut)
        #expect(stream.commands == [.initialize, .cbor, .cancel])
        #expect(stream.clock.milliseconds - start < 31_000)
    }

    @Test("Attack 35: a flood on other channels cannot make an exchange last")
    func flood() async throws {
        let stream = ScriptedReports.initialized { message in
            guard message.command == .cbor else { return [] }
            let noise = ScriptedReports.Step.message(
                .keepalive, [1], channel: CTAPHIDChannel(rawValue: 77))
            return (0..<20_000).flatMap { _ in noise }
        }
        #expect(failure(try await exchange(stream, limit: 10_000)) == .timedOut)
    }

    @Test("Attack 35: silence ends an exchange long before its limit")
    func silence() async throws {
        let stream = ScriptedReports.initialized { _ in [] }
        let start = stream.clock.milliseconds
        #expect(failure(try await exchange(stream, limit: 120_000)) == .timedOut)
        #expect(stream.clock.milliseconds - start < 6_000)
    }

    @Test("Attack 34: a keep-alive of another channel does not extend the wait")
    func staleKeepalive() async throws {
        let stream = ScriptedReports.initialized { message in
            guard message.command == .cbor else { return [] }
            return (0..<100).flatMap { _ in
                ScriptedReports.Step.message(
                    .keepalive, [2], channel: CTAPHIDChannel(rawValue: 77)) + [.nothing(99)]
            }
        }
        let heard = Mutex<[CTAPHIDKeepalive]>([])
        let result = try await exchange(stream, limit: 120_000) { status in
            heard.withLock { $0.append(status) }
        }
        #expect(failure(result) == .timedOut)
        #expect(heard.withLock { $0 }.isEmpty)
    }

    @Test("a keep-alive is reported once for each change of what it says")
    func keepalives() async throws {
        let stream = ScriptedReports.initialized { _ in
            let states: [UInt8] = [1, 1, 2, 2, 0xEE, 2]
            return states.flatMap { ScriptedReports.Step.message(.keepalive, [$0]) }
                + ScriptedReports.Step.message(.cbor, [0])
        }
        let heard = Mutex<[CTAPHIDKeepalive]>([])
        let result = try await exchange(stream) { status in heard.withLock { $0.append(status) } }
        #expect(result == .success([0]))
        #expect(
            heard.withLock { $0 }
                == [.processing, .userPresenceNeeded, .processing, .userPresenceNeeded])
    }

    @Test(
        "an error of the channel is passed on",
        arguments: [
            ([0x06], TransportError.busy), ([0x0B], .channel(.invalidChannel)),
            ([0x04], .channel(.invalidSequence)), ([], .channel(.other)),
        ] as [([UInt8], TransportError)])
    func errors(payload: [UInt8], error: TransportError) async throws {
        let stream = ScriptedReports.initialized { _ in .message(.error, payload) }
        #expect(failure(try await exchange(stream)) == error)
    }

    @Test("Attack 35: a reply to another command is refused")
    func otherCommand() async throws {
        let stream = ScriptedReports.initialized { _ in .message(.message, [0x90, 0x00]) }
        #expect(
            failure(try await exchange(stream)) == .protocolViolation("a reply to another command"))
    }

    @Test("a message that no packets can carry is not sent")
    func tooLong() async throws {
        let stream = ScriptedReports.initialized { _ in [] }
        let payload = [UInt8](repeating: 0, count: 7610)
        #expect(failure(try await exchange(stream, payload)) == .tooLong)
        #expect(stream.commands == [.initialize])
    }

    // MARK: Cancelling

    @Test("Attack 35: a key receives a cancellation, and its response to that is the reply")
    func cancel() async throws {
        let cancellation = ExchangeCancellation {}
        let stream = ScriptedReports.initialized { message in
            message.command == .cancel
                ? .message(.cbor, [0x2D]) : [.wake { cancellation.request() }]
        }
        #expect(try await exchange(stream, cancellation: cancellation) == .success([0x2D]))
        #expect(stream.commands == [.initialize, .cbor, .cancel])
    }

    @Test("Attack 35: a reply that crosses the cancellation counts")
    func cancelRace() async throws {
        let cancellation = ExchangeCancellation {}
        let stream = ScriptedReports.initialized { message in
            guard message.command == .cbor else { return [] }
            return [.wake { cancellation.request() }] + ScriptedReports.Step.message(.cbor, [0])
        }
        #expect(try await exchange(stream, cancellation: cancellation) == .success([0]))
    }

    @Test("Attack 35: a key that ignores the cancellation is left after a second")
    func ignoredCancel() async throws {
        let cancellation = ExchangeCancellation {}
        let stream = ScriptedReports.initialized { message in
            guard message.command == .cbor else { return [] }
            return [.wake { cancellation.request() }]
                + (0..<1000).flatMap { _ in
                    ScriptedReports.Step.message(.keepalive, [2]) + [.nothing(99)]
                }
        }
        let start = stream.clock.milliseconds
        #expect(failure(try await exchange(stream, cancellation: cancellation)) == .cancelled)
        #expect(stream.clock.milliseconds - start < 2_000)
    }

    @Test("what was cancelled before it began is not sent")
    func cancelledBefore() async throws {
        let cancellation = ExchangeCancellation {}
        cancellation.request()
        let stream = ScriptedReports.initialized { _ in [] }
        #expect(failure(try await exchange(stream, cancellation: cancellation)) == .cancelled)
        #expect(stream.commands == [.initialize])
    }

    @Test("Attack 34: a late reply to what was given up is not taken for the next one's")
    func lateReply() async throws {
        let count = Mutex(0)
        let stream = ScriptedReports.initialized { message in
            guard message.command == .cbor else { return [] }
            let number = count.withLock { count in
                count += 1
                return count
            }
            // The first request is met with silence, then with a reply that comes too late.
            return number == 1
                ? [.nothing(6000)] + ScriptedReports.Step.message(.cbor, [0, 1])
                : .message(.cbor, [0, 2])
        }
        var connection = try await connection(stream)
        func exchange() async throws(TransportError) -> [UInt8] {
            try await connection.exchange(
                .cbor, [4], limit: 60_000, cancellation: ExchangeCancellation {}
            ) { _ in }
        }
        await #expect(throws: TransportError.timedOut) { try await exchange() }
        #expect(try await exchange() == [0, 2])
        #expect(stream.commands == [.initialize, .cbor, .cancel, .initialize, .cbor])
    }
}
