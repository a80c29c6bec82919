// SPDX-License-Identifier: Apache-2.0
import CTAP
import Foundation
import Platform
import Primitives
import Support
import Testing

/// Reports over a socket that keeps no borders between them.
@Suite(.timeLimit(.minutes(5))) struct ByteStreamTests {
    private let clock = SystemMonotonicClock()
    private static let reports = (0..<129).map { [UInt8](repeating: UInt8($0), count: 64) }

    private func pair(
        _ framing: FileReportStream.Framing = .plain
    ) throws -> (stream: FileReportStream, other: Int32) {
        var ends: [Int32] = [0, 0]
        try #require(
            socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
        return (
            try FileReportStream(
                descriptor: Descriptor(rawValue: ends[0]), framing: framing, clock: clock), ends[1]
        )
    }

    @Test("Reports are whole again, however they were cut", arguments: [1, 63, 65, 100, 5000])
    func cut(_ size: Int) async throws {
        let (stream, other) = try pair()
        defer { close(other) }
        // The socket's buffer is smaller than the message, so another task reads concurrently.
        async let sent: Void = blocking {
            var rest = Array(Self.reports.joined())[...]
            while !rest.isEmpty {
                let part = Array(rest.prefix(size))
                try #require(send(other, part, part.count, 0) == part.count)
                rest = rest.dropFirst(part.count)
            }
        }
        var read: [ReportEvent] = []
        for _ in 0..<129 { read.append(try await stream.read(until: clock.milliseconds + 20_000)) }
        try await sent
        #expect(read == Self.reports.map { .report($0) })
    }

    @Test("A message's reports go in one piece", arguments: [false, true])
    func together(_ isNumbered: Bool) async throws {
        let (stream, other) = try pair(isNumbered ? .numbered : .plain)
        defer { close(other) }
        try await stream.write(all: Self.reports)
        let number: [UInt8] = isNumbered ? [0] : []
        let expected = Self.reports.flatMap { number + $0 }
        var bytes = [UInt8](repeating: 0, count: expected.count + 1)
        #expect(recv(other, &bytes, bytes.count, Int32(MSG_DONTWAIT)) == expected.count)
        #expect(Array(bytes.prefix(expected.count)) == expected)
    }

    @Test("Attack 35: half a report, and then nothing or the end, is no report")
    func half() async throws {
        let (stream, other) = try pair()
        let part = [UInt8](repeating: 7, count: 100)
        try #require(send(other, part, part.count, 0) == part.count)
        let first = try await stream.read(until: clock.milliseconds + 20_000)
        let second = try await stream.read(until: clock.milliseconds + 20)
        #expect(first == .report([UInt8](repeating: 7, count: 64)))
        #expect(second == .timedOut)
        close(other)
        await #expect(throws: TransportError.removed) {
            try await stream.read(until: clock.milliseconds + 20_000)
        }
    }

    @Test("A software key is used over a byte stream")
    func key() async throws {
        let (stream, other) = try pair()
        let key = try SoftwareAuthenticator(
            store: MemoryAuthenticatorStore(), gesture: AutomaticGesture(), clock: ManualClock(),
            random: SystemRandomSource())
        let served = try EmulatedSecurityKey(key, random: SystemRandomSource())
            .serve(on: .connection(file: other, packets: false))
        let transport = try await HIDTransport(stream, random: SystemRandomSource())
        let creation = CTAPRequest.makeCredential(TestKey.creation(algorithms: [-7, -8, -35]))
        for frame in [CTAPRequest.getInfo.frame(), creation.frame()] {
            let reply = try await transport.exchange(.ctap2(frame), limit: .seconds(20)) { _ in }
            #expect(reply.first == 0 && reply.count > 100)
        }
        await transport.closed()
        await served.waitForEnd()
    }
}
