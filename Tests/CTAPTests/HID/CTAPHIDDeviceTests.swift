// SPDX-License-Identifier: Apache-2.0
import CTAP
import Primitives
import Support
import Testing

/// The key's side of CTAPHID, decided without any wire.
@Suite struct CTAPHIDDeviceTests {
    private let start = Timestamp(seconds: 1000)
    private let nonce: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]

    private struct Bench {
        var device = CTAPHIDDevice(
            capabilities: [.wink, .cbor], random: SeededRandom(seed: 4))
        var now = Timestamp(seconds: 1000)

        mutating func receive(_ message: CTAPHIDMessage) -> [CTAPHIDDevice.Action] {
            message.packets.flatMap { device.receive($0, at: now) }
        }

        mutating func send(
            _ channel: CTAPHIDChannel, _ command: CTAPHIDCommand, _ payload: [UInt8]
        ) throws -> [CTAPHIDDevice.Action] {
            receive(try #require(CTAPHIDMessage(channel, command, payload)))
        }

        mutating func open() throws -> CTAPHIDChannel {
            let actions = try send(.broadcast, .initialize, [1, 2, 3, 4, 5, 6, 7, 8])
            guard case .send(let reply) = try #require(actions.last) else { throw NoReply() }
            return try #require(CTAPHIDInitialization(reply.payload)).channel
        }
    }

    private struct NoReply: Error {}

    private func error(
        _ channel: CTAPHIDChannel, _ status: CTAPStatus
    ) -> [CTAPHIDDevice.Action] { [.send(CTAPHIDMessage(channel, error: status))] }

    @Test("INIT opens a separate channel for each program, and returns its nonce")
    func channels() throws {
        var bench = Bench()
        let channels = try (0..<100).map { _ in try bench.open() }
        #expect(Set(channels).count == 100)
        #expect(!channels.contains(.broadcast) && !channels.contains(.reserved))
        let actions = try bench.send(.broadcast, .initialize, nonce)
        guard case .send(let reply) = try #require(actions.last) else { throw NoReply() }
        #expect(Array(reply.payload.prefix(8)) == nonce)
        #expect(reply.channel == .broadcast)
    }

    @Test("Attack 35: INIT with a nonce of another length is refused", arguments: [0, 7, 9, 64])
    func nonceLength(_ length: Int) throws {
        var bench = Bench()
        let actions = try bench.send(
            .broadcast, .initialize, [UInt8](repeating: 1, count: length))
        #expect(actions == error(.broadcast, .invalidLength))
    }

    @Test("Attack 35: channels that were not opened are refused")
    func unopened() throws {
        var bench = Bench()
        let mine = try bench.open()
        let foreign = CTAPHIDChannel(rawValue: mine.rawValue ^ 1)
        for channel in [foreign, .reserved, .broadcast] {
            #expect(try bench.send(channel, .ping, [1]) == error(channel, .invalidChannel))
        }
        // The oldest of too many is closed.
        for _ in 0..<CTAPHIDDevice.maximumChannels { _ = try bench.open() }
        #expect(try bench.send(mine, .ping, [1]) == error(mine, .invalidChannel))
    }

    @Test("PING comes back whole, WINK winks, unknown commands are refused")
    func simple() throws {
        var bench = Bench()
        let channel = try bench.open()
        let ping = try #require(
            CTAPHIDMessage(channel, .ping, [UInt8](repeating: 5, count: 7609)))
        #expect(bench.receive(ping) == [.send(ping)])
        let wink = try #require(CTAPHIDMessage(channel, .wink, []))
        #expect(bench.receive(wink) == [.wink, .send(wink)])
        #expect(try bench.send(channel, .wink, [1]) == error(channel, .invalidLength))
        #expect(
            try bench.send(channel, CTAPHIDCommand(rawValue: 0x50), [])
                == error(channel, .invalidCommand))
        #expect(try bench.send(channel, .cbor, []) == error(channel, .invalidLength))
    }

    @Test("Attack 35: during a request the key reports to others that it is busy")
    func busy() throws {
        var bench = Bench()
        let (mine, other) = (try bench.open(), try bench.open())
        let request = try #require(CTAPHIDMessage(mine, .cbor, [4]))
        #expect(bench.receive(request) == [.ask(request, transaction: 1)])
        #expect(bench.device.keepaliveChannel == mine)
        #expect(try bench.send(other, .cbor, [4]) == error(other, .channelBusy))
        #expect(try bench.send(mine, .ping, [4]) == error(mine, .channelBusy))
        #expect(try bench.send(other, .cancel, []) == [])
        _ = try bench.open()
        let reply = try #require(CTAPHIDMessage(mine, .cbor, [0, 1]))
        #expect(bench.device.answered([0, 1], transaction: 1) == [.send(reply)])
        #expect(bench.device.keepaliveChannel == nil)
        #expect(bench.device.answered([0, 1], transaction: 1) == [])
    }

    @Test("Attack 35: CANCEL ends what runs on its channel, has no reply, and may come too late")
    func cancel() throws {
        var bench = Bench()
        let channel = try bench.open()
        #expect(try bench.send(channel, .cancel, []) == [])
        _ = try bench.send(channel, .cbor, [11])
        #expect(try bench.send(channel, .cancel, []) == [.cancel])
        let reply = try #require(CTAPHIDMessage(channel, .cbor, [0x2D]))
        #expect(bench.device.answered([0x2D], transaction: 1) == [.send(reply)])
        #expect(try bench.send(channel, .cancel, []) == [])
    }

    @Test("Attack 35: INIT on a busy channel gives up the request; the next one waits for its end")
    func abandon() throws {
        var bench = Bench()
        let channel = try bench.open()
        _ = try bench.send(channel, .cbor, [11])
        let actions = try bench.send(channel, .initialize, nonce)
        #expect(actions.first == .cancel)
        let next = try #require(CTAPHIDMessage(channel, .cbor, [4]))
        #expect(bench.receive(next) == [])
        #expect(
            bench.device.answered([0x2D], transaction: 1) == [.ask(next, transaction: 2)])
    }

    @Test("Attack 35: a gap, a message inside a message, and a length beyond all are refused")
    func sequence() throws {
        var bench = Bench()
        let channel = try bench.open()
        let packets = try #require(
            CTAPHIDMessage(channel, .ping, [UInt8](repeating: 5, count: 300))
        ).packets
        #expect(bench.device.receive(packets[0], at: start) == [])
        #expect(bench.device.receive(packets[2], at: start) == error(channel, .invalidSequence))
        #expect(bench.device.receive(packets[0], at: start) == [])
        #expect(bench.device.receive(packets[0], at: start) == error(channel, .invalidSequence))
        #expect(bench.device.receive(packets[1], at: start) == [])
        let long = CTAPHIDPacket.initialization(channel, .ping, length: 7610, payload: [])
        #expect(bench.device.receive(long, at: start) == error(channel, .invalidLength))
    }

    @Test("Attack 35: another channel's packets between those of a message change nothing")
    func interleaved() throws {
        var bench = Bench()
        let (mine, other) = (try bench.open(), try bench.open())
        let message = try #require(
            CTAPHIDMessage(mine, .ping, [UInt8](repeating: 5, count: 100)))
        #expect(bench.device.receive(message.packets[0], at: start) == [])
        #expect(
            bench.device.receive(.continuation(other, sequence: 0, payload: []), at: start) == [])
        #expect(try bench.send(other, .ping, [1]) == error(other, .channelBusy))
        #expect(bench.device.receive(message.packets[1], at: start) == [.send(message)])
    }

    @Test("Attack 35: a message whose rest never comes is given up after half a second")
    func unfinished() throws {
        var bench = Bench()
        let channel = try bench.open()
        let message = try #require(
            CTAPHIDMessage(channel, .ping, [UInt8](repeating: 5, count: 100)))
        _ = bench.device.receive(message.packets[0], at: start)
        let deadline = try #require(bench.device.deadline)
        #expect(deadline - start == CTAPHIDDevice.packetTimeout)
        #expect(bench.device.tick(at: start) == [])
        #expect(bench.device.tick(at: deadline) == error(channel, .timeout))
        #expect(bench.device.receive(message.packets[1], at: deadline) == [])
        #expect(bench.device.deadline == nil)
    }

    @Test("A lock excludes others for its duration, ten seconds at most")
    func lock() throws {
        var bench = Bench()
        let (mine, other) = (try bench.open(), try bench.open())
        #expect(try bench.send(mine, .lock, [11]) == error(mine, .invalidParameter))
        #expect(try bench.send(mine, .lock, []) == error(mine, .invalidLength))
        _ = try bench.send(mine, .lock, [2])
        #expect(try bench.send(other, .ping, [1]) == error(other, .channelBusy))
        #expect(try bench.send(other, .lock, [0]) == error(other, .channelBusy))
        bench.now = bench.now + .seconds(2)
        let ping = try #require(CTAPHIDMessage(other, .ping, [1]))
        #expect(bench.receive(ping) == [.send(ping)])
        _ = try bench.send(mine, .lock, [5])
        _ = try bench.send(mine, .lock, [0])
        #expect(bench.receive(ping) == [.send(ping)])
    }

    @Test("Arbitrary packets never do harm")
    func hostile() throws {
        var bench = Bench()
        let channels = [try bench.open(), try bench.open(), .broadcast, .reserved]
        let random = SeededRandom(seed: 8)
        for round in 0..<20_000 {
            var report = random.bytes(64)
            let channel = channels[Int(report[0]) % channels.count].rawValue
            for place in 0..<4 {
                report[place] = UInt8(truncatingIfNeeded: channel >> (24 - 8 * UInt32(place)))
            }
            report[5] &= 1
            let packet = try #require(CTAPHIDPacket(report: report))
            bench.now = bench.now + TimeSpan(milliseconds: Int64(round % 7))
            for action in bench.device.receive(packet, at: bench.now) {
                if case .ask(_, let transaction) = action, round.isMultiple(of: 3) {
                    _ = bench.device.answered([0], transaction: transaction)
                }
            }
            _ = bench.device.tick(at: bench.now)
        }
    }
}
