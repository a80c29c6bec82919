// SPDX-License-Identifier: Apache-2.0
import CTAP
import Foundation
import Platform
import Primitives
import Support
import Testing

/// The software key over a socket pair, as a client in the same process uses it.
@Suite(.timeLimit(.minutes(5))) struct EmulatedSecurityKeyTests {
    private let gesture = ScriptedGesture()

    /// The client's end of a socket that keeps packets apart.
    private struct Wire {
        let file: Descriptor

        func send(_ message: CTAPHIDMessage) {
            for packet in message.packets {
                _ = try? packet.report.withUnsafeBytes { try file.send($0) }
            }
        }

        /// Waits ten seconds at most; `nil` when nothing comes or the key has gone.
        func packet() async -> CTAPHIDPacket? {
            await withCheckedContinuation { waiter in
                Thread.detachNewThread {
                    let events = try? file.wait(for: .readable, milliseconds: 10_000)
                    let isThere = events?.isEmpty == false
                    let report = isThere ? (try? file.read(atMost: 64)) ?? [] : []
                    waiter.resume(
                        returning: report.count == 64 ? CTAPHIDPacket(report: report) : nil)
                }
            }
        }

        func message() async throws -> CTAPHIDMessage {
            var assembler = CTAPHIDAssembler()
            while let packet = await packet() {
                if case .message(let message) = try assembler.receive(packet) { return message }
            }
            throw Silence()
        }
    }

    private struct Silence: Error {}

    private func connect(
        _ change: (inout AuthenticatorConfiguration) -> Void = { _ in }
    ) throws -> (ServedSecurityKey, Wire) {
        var configuration = AuthenticatorConfiguration()
        change(&configuration)
        let ends = try UnixSocket.pair(.packets)
        let random = SeededRandom(seed: 12)
        let key = try SoftwareAuthenticator(
            store: MemoryAuthenticatorStore(), configuration: configuration, gesture: gesture,
            clock: ManualClock(), random: random)
        let served = try EmulatedSecurityKey(key, random: random)
            .serve(on: .connection(file: ends.0.rawValue, packets: true))
        return (served, Wire(file: ends.1))
    }

    private func open(_ wire: Wire) async throws -> CTAPHIDChannel {
        wire.send(try #require(CTAPHIDMessage(.broadcast, .initialize, Array(1...8))))
        let reply = try #require(CTAPHIDInitialization(try await wire.message().payload))
        #expect(reply.nonce == Array(1...8))
        return reply.channel
    }

    @Test("The longest PING comes back, and getInfo is answered")
    func exchange() async throws {
        let (served, wire) = try connect()
        let channel = try await open(wire)
        let ping = try #require(
            CTAPHIDMessage(channel, .ping, (0..<7609).map { UInt8(truncatingIfNeeded: $0) }))
        wire.send(ping)
        #expect(try await wire.message() == ping)
        wire.send(try #require(CTAPHIDMessage(channel, .cbor, [4])))
        var reply = try await wire.message()
        while reply.command == .keepalive { reply = try await wire.message() }
        let info = reply.payload
        #expect(info.first == 0)
        #expect(try AuthenticatorInfo(cbor: Array(info.dropFirst())).versions.contains("FIDO_2_1"))
        served.stop()
        await served.waitForEnd()
        #expect(await wire.packet() == nil)
        wire.file.close()
    }

    @Test("Attack 35: keep-alives say that a touch is needed, a cancel ends it")
    func keepaliveAndCancel() async throws {
        let (served, wire) = try connect()
        let channel = try await open(wire)
        gesture.waitForCancel()
        wire.send(try #require(CTAPHIDMessage(channel, .cbor, [0x0B])))
        var heard = try await wire.message()
        while heard.payload != [CTAPHIDKeepalive.userPresenceNeeded.rawValue] {
            #expect(heard.command == .keepalive)
            heard = try await wire.message()
        }
        wire.send(try #require(CTAPHIDMessage(channel, .cancel, [])))
        repeat { heard = try await wire.message() } while heard.command == .keepalive
        #expect(heard.payload == [CTAPStatus.keepaliveCancel.rawValue])
        served.stop()
        await served.waitForEnd()
        wire.file.close()
    }

    @Test("The service ends when its client goes, in the middle of a touch too")
    func clientGone() async throws {
        let (served, wire) = try connect()
        let channel = try await open(wire)
        gesture.waitForCancel()
        wire.send(try #require(CTAPHIDMessage(channel, .cbor, [0x0B])))
        _ = try await wire.message()
        wire.file.close()
        await served.waitForEnd()
    }

    @Test("Attack 35: a key with the fault of endless keep-alives sends them")
    func endless() async throws {
        let (served, wire) = try connect { $0.misbehaviour = [.endlessKeepalive] }
        let channel = try await open(wire)
        wire.send(try #require(CTAPHIDMessage(channel, .cbor, [4])))
        for _ in 0..<3 { #expect(try await wire.message().command == .keepalive) }
        served.stop()
        await served.waitForEnd()
        wire.file.close()
    }

    @Test("A key opens from its file, and again after it was closed")
    func file() async throws {
        let folder = TestFolder()
        let random = SeededRandom(seed: 3)
        for round in 0..<2 {
            let key = try await EmulatedSecurityKey.open(
                storeAt: folder.path("key"), vault: KeyFileProtector(path: folder.path("key.key")),
                gesture: gesture, clock: ManualClock(), random: random)
            let creation = CTAPRequest.makeCredential(TestKey.creation(discoverable: true))
            let assertion = CTAPRequest.getAssertion(TestKey.assertion())
            let frame = (round == 0 ? creation : assertion).frame()
            #expect(await key.authenticator.respond(to: frame).first == 0)
        }
    }
}
