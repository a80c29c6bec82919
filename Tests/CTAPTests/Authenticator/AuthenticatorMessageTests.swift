// SPDX-License-Identifier: Apache-2.0
import CTAP
import Support
import Testing

/// The responses to invalid requests.
@Suite struct AuthenticatorMessageTests {
    @Test("Each kind of malformed request has its status")
    func statuses() async throws {
        let key = try TestKey()
        let cases: [([UInt8], CTAPStatus)] = [
            ([], .invalidLength), ([0x00], .invalidCommand), ([0x42], .invalidCommand),
            ([0x04, 0xA0], .invalidLength), ([0x01], .invalidCBOR),
            ([0x01, 0xA0], .missingParameter), ([0x01, 0x80], .cborUnexpectedType),
            ([0x01, 0xBF, 0xFF], .invalidCBOR), ([0x01, 0xA0, 0x00], .invalidCBOR),
            ([0x06, 0xA1, 0x02, 0x18, 0x63], .invalidSubcommand),
            ([0x02, 0xA2, 0x02, 0x40, 0x01, 0x60], .invalidCBOR),
            ([0x02, 0xA2, 0x01, 0x61, 0x61, 0x02, 0x41, 0x01], .invalidParameter),
            ([0x01] + [UInt8](repeating: 0, count: 2048), .requestTooLarge),
        ]
        for (frame, status) in cases {
            let reply = await key.key.respond(to: frame)
            #expect(reply == [status.rawValue], "\(frame.prefix(12))")
        }
    }

    @Test("Spoilt requests never do harm, and an answer always comes")
    func hostile() async throws {
        let key = try TestKey()
        let random = SeededRandom(seed: 6)
        let frames = [
            CTAPRequest.makeCredential(TestKey.creation()).frame(),
            CTAPRequest.getAssertion(TestKey.assertion(allow: [[1, 2, 3]])).frame(),
            CTAPRequest.largeBlobs(LargeBlobsRequest(set: [1], offset: 0, length: 20)).frame(),
            CTAPRequest.clientPIN(ClientPINRequest(.setPIN, pinUvAuthProtocol: 1)).frame(),
        ]
        for round in 0..<3000 {
            var frame = frames[round % frames.count]
            let draws = random.bytes(4)
            let place = Int(draws[0]) << 8 | Int(draws[1])
            frame[place % frame.count] = draws[2]
            if draws[3] < 40 { frame.removeLast(min(frame.count, Int(draws[3]))) }
            #expect(await key.key.respond(to: frame).isEmpty == false)
        }
    }

    @Test(
        "A misbehaving key misbehaves, so that what clients refuse is really there",
        arguments: [
            FaultInjection.wrongSignature, .wrongRPIDHash, .otherCredential, .claimsVerification,
            .deniesPresence, .malformedCBOR, .unsortedCBOR, .trailingBytes, .truncatedCBOR,
            .emptyReply, .unknownStatus, .frozenCounter,
        ])
    func misbehaves(_ fault: FaultInjection) async throws {
        let frame = CTAPRequest.getAssertion(TestKey.assertion()).frame()
        let store = MemoryAuthenticatorStore()
        let honest = try TestKey(store: store)
        _ = try await honest.make(TestKey.creation(algorithms: [-8], discoverable: true))
        let right = await honest.key.respond(to: frame)
        let broken = try TestKey(store: store) { $0.misbehaviour = [fault] }
        // The counter differs in any case; the signature, deterministic here, follows it.
        let wrong = await broken.key.respond(to: frame)
        #expect(wrong != right)
        let reply = try? GetAssertionResponse(cbor: Array(wrong.dropFirst()))
        let isReadable: Set<FaultInjection> = [
            .wrongSignature, .wrongRPIDHash, .otherCredential, .claimsVerification,
            .deniesPresence, .frozenCounter,
        ]
        #expect((wrong.first == 0 && reply != nil) == isReadable.contains(fault))
    }

    @Test("A misbehaving key's frames are wrong in the way that is asked for")
    func frames() throws {
        let channel = CTAPHIDChannel(rawValue: 7)
        let message = try #require(
            CTAPHIDMessage(channel, .cbor, [UInt8](repeating: 1, count: 200)))
        let right = Set<FaultInjection>().reports(of: message)
        #expect(right == message.packets.map(\.report))
        let faults: [FaultInjection] = [
            .endlessKeepalive, .silence, .wrongChannel, .sequenceGap, .repeatedPacket,
            .excessiveLength, .unfinishedAnswer, .wrongCommand, .interleavedChannels,
        ]
        var seen: Set<[[UInt8]]> = [right]
        for fault in faults where fault != .silence {
            let reports = Set([fault]).reports(of: message)
            #expect(seen.insert(reports).inserted, "\(fault)")
        }
        #expect(Set([FaultInjection.silence]).reports(of: message).isEmpty)
        let initialization = try #require(
            CTAPHIDMessage(.broadcast, .initialize, [UInt8](repeating: 0, count: 17)))
        #expect(
            Set([FaultInjection.wrongNonce]).reports(of: initialization)
                != initialization.packets.map(\.report))
    }
}
