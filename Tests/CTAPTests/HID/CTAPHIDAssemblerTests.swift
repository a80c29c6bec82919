// SPDX-License-Identifier: Apache-2.0
import CTAP
import Support
import Testing

@Suite struct CTAPHIDAssemblerTests {
    private let channel = CTAPHIDChannel(rawValue: 0x0102_0304)

    private func message(_ length: Int) throws -> CTAPHIDMessage {
        try #require(
            CTAPHIDMessage(channel, .cbor, (0..<length).map { UInt8(truncatingIfNeeded: $0) }))
    }

    @Test(
        "A message of any length survives its packets",
        arguments: [0, 1, 56, 57, 58, 57 + 59, 57 + 60, 1024, 7608, 7609])
    func roundTrip(_ length: Int) throws {
        let message = try message(length)
        var assembler = CTAPHIDAssembler()
        var outcomes: [CTAPHIDAssembler.Outcome] = []
        for packet in message.packets {
            #expect(packet.report.count == 64)
            let read = try #require(CTAPHIDPacket(report: packet.report))
            outcomes.append(try assembler.receive(read))
        }
        #expect(outcomes.last == .message(message))
        #expect(outcomes.dropLast().allSatisfy { $0 == .incomplete })
    }

    @Test("A message longer than 129 packets cannot be made")
    func tooLongToSend() {
        #expect(CTAPHIDMessage(channel, .ping, [UInt8](repeating: 0, count: 7610)) == nil)
    }

    @Test("Attack 35: a length beyond 7609 is refused")
    func tooLong() throws {
        var assembler = CTAPHIDAssembler()
        for length in [7610, 0x8000, 0xFFFF] {
            let packet = CTAPHIDPacket.initialization(channel, .ping, length: length, payload: [])
            #expect(throws: CTAPHIDAssembler.AssemblyError.tooLong) {
                try assembler.receive(packet)
            }
        }
    }

    @Test(
        "Attack 35: a gap, a repetition and a wrong start are refused",
        arguments: [
            [0, 2], [0, 0], [1], [127], [0, 1, 0],
        ] as [[UInt8]])
    func sequence(_ numbers: [UInt8]) throws {
        var assembler = CTAPHIDAssembler()
        _ = try assembler.receive(try message(1024).packets[0])
        let payload = [UInt8](repeating: 0, count: 59)[...]
        for number in numbers.dropLast() {
            _ = try assembler.receive(.continuation(channel, sequence: number, payload: payload))
        }
        let last = CTAPHIDPacket.continuation(
            channel, sequence: numbers.last ?? 0, payload: payload)
        #expect(throws: CTAPHIDAssembler.AssemblyError.sequence) { try assembler.receive(last) }
        #expect(assembler.channel == nil)
    }

    @Test("Attack 35: another channel's packets are handed back and change nothing")
    func interleaved() throws {
        let (mine, other) = (try message(100), CTAPHIDChannel(rawValue: 9))
        var assembler = CTAPHIDAssembler()
        _ = try assembler.receive(mine.packets[0])
        let foreign = CTAPHIDPacket.continuation(other, sequence: 0, payload: [])
        #expect(try assembler.receive(foreign) == .otherChannel(foreign))
        #expect(try assembler.receive(mine.packets[1]) == .message(mine))
    }

    @Test("Attack 35: a message that begins inside another is refused, and says which")
    func interrupted() throws {
        var assembler = CTAPHIDAssembler()
        let packet = try message(100).packets[0]
        _ = try assembler.receive(packet)
        #expect(throws: CTAPHIDAssembler.AssemblyError.interrupted(packet)) {
            try assembler.receive(packet)
        }
        #expect(assembler.channel == nil)
    }

    @Test("A continuation of nothing is spurious")
    func spurious() throws {
        var assembler = CTAPHIDAssembler()
        let packet = CTAPHIDPacket.continuation(channel, sequence: 0, payload: [])
        #expect(try assembler.receive(packet) == .spurious)
    }

    @Test("Attack 35: a short or long report is none", arguments: [0, 1, 63, 65, 128])
    func reportLength(_ length: Int) {
        #expect(CTAPHIDPacket(report: [UInt8](repeating: 0x80, count: length)) == nil)
    }

    @Test("Arbitrary reports never do harm")
    func hostile() throws {
        let random = SeededRandom(seed: 3)
        var assembler = CTAPHIDAssembler()
        for _ in 0..<5000 {
            var report = random.bytes(64)
            report[0...3] = [0, 0, 0, report[0] & 1]
            let packet = try #require(CTAPHIDPacket(report: report))
            _ = try? assembler.receive(packet)
        }
    }

    @Test("The reply to INIT is 17 bytes, longer ones are read, shorter ones are not")
    func initialization() throws {
        let reply = CTAPHIDInitialization(
            nonce: Array(1...8), channel: channel, deviceVersion: [1, 2, 3],
            capabilities: [.wink, .cbor])
        #expect(reply.payload == Array(1...8) + [1, 2, 3, 4, 2, 1, 2, 3, 5])
        #expect(CTAPHIDInitialization(reply.payload) == reply)
        #expect(CTAPHIDInitialization(reply.payload + [9, 9]) == reply)
        #expect(CTAPHIDInitialization(reply.payload.dropLast()) == nil)
    }
}
