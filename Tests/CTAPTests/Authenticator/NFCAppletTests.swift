// SPDX-License-Identifier: Apache-2.0
import CTAP
import Support
import Testing

/// The card's side of NFC before readers that are honest, broken or malicious.
@Suite struct NFCAppletTests {
    private static let select = CommandAPDU(
        cla: 0, ins: 0xA4, p1: 4, data: NFCConnection.applicationId, expected: 256)

    private static func refusal(_ status: StatusWord) -> NFCApplet.Action {
        .respond(ResponseAPDU(status: status))
    }

    private func send(_ command: CommandAPDU, to applet: inout NFCApplet) throws -> NFCApplet.Action
    {
        applet.receive(try #require(command.short))
    }

    private func selected(speaksU2F: Bool = true) throws -> NFCApplet {
        var applet = NFCApplet(speaksU2F: speaksU2F)
        let version = speaksU2F ? "U2F_V2" : "FIDO_2_0"
        #expect(
            try send(Self.select, to: &applet)
                == .respond(ResponseAPDU(data: Array(version.utf8), status: .ok)))
        return applet
    }

    private static func message(_ bytes: [UInt8], p1: UInt8 = 0x80) -> CommandAPDU {
        CommandAPDU(cla: 0x80, ins: 0x10, p1: p1, data: bytes, expected: 256)
    }

    @Test("A message in one command and its reply in portions")
    func exchange() throws {
        var applet = try selected()
        #expect(
            try send(Self.message([4]), to: &applet) == .ask(.ctap2([4]), mayWait: true))
        let reply = (0..<600).map { UInt8(truncatingIfNeeded: $0) }
        var portion = applet.answered(reply, to: .ctap2([4]))
        var whole = portion.data
        while let remaining = portion.status.remaining {
            let fetch = CommandAPDU(cla: 0, ins: 0xC0, expected: remaining)
            guard case .respond(let next) = try send(fetch, to: &applet) else { break }
            portion = next
            whole += next.data
        }
        #expect(whole == reply)
        #expect(portion.status == .ok)
    }

    @Test("A reader that cannot come back is not sent away, one that can is")
    func waiting() throws {
        var applet = try selected()
        #expect(
            try send(Self.message([1], p1: 0), to: &applet) == .ask(.ctap2([1]), mayWait: false))
        _ = try send(Self.message([1]), to: &applet)
        #expect(applet.working(.userPresenceNeeded).bytes == [2, 0x91, 0x00])
        let ask = CommandAPDU(cla: 0x80, ins: 0x11, expected: 256)
        #expect(try send(ask, to: &applet) == .poll(cancels: false))
        let cancel = CommandAPDU(cla: 0x80, ins: 0x11, p1: 0x11, expected: 256)
        #expect(try send(cancel, to: &applet) == .poll(cancels: true))
        #expect(applet.answered([0x2D], to: .ctap2([1])).bytes == [0x2D, 0x90, 0x00])
        #expect(try send(ask, to: &applet) == Self.refusal(.conditionsNotSatisfied))
    }

    @Test("U2F messages are passed to a key that supports them")
    func u2f() throws {
        var applet = try selected()
        let version = U2FRequest.version.apdu
        var command = version
        command.expected = 256
        let asked = try send(command, to: &applet)
        #expect(asked == .ask(.u2f(try #require(command.extended)), mayWait: false))
        #expect(applet.answered([1, 0x90, 0x00], to: .u2f([])).bytes == [1, 0x90, 0x00])
        #expect(applet.answered([], to: .u2f([])).status == .unknown)
        var other = try selected(speaksU2F: false)
        #expect(try send(command, to: &other) == Self.refusal(.instructionNotSupported))
    }

    @Test("Attack 36: the key is not asked before the applet is selected, nor after it was left")
    func unselected() throws {
        var applet = NFCApplet(speaksU2F: true)
        let refused = Self.refusal(.conditionsNotSatisfied)
        #expect(try send(Self.message([7]), to: &applet) == refused)
        applet = try selected()
        var other = Self.select
        other.data = [0xA0, 0, 0, 0, 3]
        #expect(try send(other, to: &applet) == Self.refusal(.fileNotFound))
        #expect(try send(Self.message([7]), to: &applet) == refused)
        applet = try selected()
        let end = CommandAPDU(cla: 0x80, ins: 0x12, p1: 1)
        #expect(try send(end, to: &applet) == Self.refusal(.ok))
        #expect(try send(Self.message([7]), to: &applet) == refused)
    }

    @Test("Attack 36: a chain without end is refused at the longest message, and stores nothing")
    func endlessChain() throws {
        var applet = try selected()
        let part = CommandAPDU(
            cla: 0x90, ins: 0x10, data: [UInt8](repeating: 7, count: 255))
        var accepted = 0
        while try send(part, to: &applet) == Self.refusal(.ok) { accepted += 1 }
        #expect(accepted == CTAPHIDMessage.greatestLength / 255)
        #expect(try send(part, to: &applet) == Self.refusal(.ok))
        #expect(
            try send(Self.message([4]), to: &applet)
                == .ask(.ctap2(part.data + [4]), mayWait: true))
    }

    @Test("Attack 36: parts of different commands make no message")
    func mixedChain() throws {
        var applet = try selected()
        let part = CommandAPDU(cla: 0x90, ins: 0x10, data: [1])
        #expect(try send(part, to: &applet) == Self.refusal(.ok))
        let other = CommandAPDU(cla: 0x80, ins: 0x11, expected: 256)
        #expect(try send(other, to: &applet) == Self.refusal(.wrongData))
        #expect(try send(Self.message([4]), to: &applet) == .ask(.ctap2([4]), mayWait: true))
    }

    @Test("Attack 36: a card that is removed during a chain restarts")
    func removedInChain() throws {
        var applet = try selected()
        _ = try send(CommandAPDU(cla: 0x90, ins: 0x10, data: [1, 2, 3]), to: &applet)
        applet.reset()
        #expect(
            try send(Self.message([4]), to: &applet) == Self.refusal(.conditionsNotSatisfied))
        _ = try send(Self.select, to: &applet)
        #expect(try send(Self.message([4]), to: &applet) == .ask(.ctap2([4]), mayWait: true))
    }

    @Test("Attack 36: fetching what is not there brings nothing, however often it is tried")
    func emptyFetch() throws {
        var applet = try selected()
        let fetch = CommandAPDU(cla: 0, ins: 0xC0, expected: 256)
        for _ in 0..<1000 {
            #expect(try send(fetch, to: &applet) == Self.refusal(.conditionsNotSatisfied))
        }
    }

    @Test("Attack 36: the rest of a reply is given up with the next command")
    func abandonedReply() throws {
        var applet = try selected()
        _ = try send(Self.message([4]), to: &applet)
        let first = applet.answered([UInt8](repeating: 9, count: 1000), to: .ctap2([4]))
        #expect(first.status.remaining != nil)
        _ = try send(Self.message([4]), to: &applet)
        let fetch = CommandAPDU(cla: 0, ins: 0xC0, expected: 256)
        #expect(try send(fetch, to: &applet) == Self.refusal(.conditionsNotSatisfied))
    }

    @Test("Attack 36: a reader fetches a reply of 64 KiB one byte at a time")
    func tinyPortions() throws {
        var applet = try selected()
        let one = CommandAPDU(cla: 0x80, ins: 0x10, data: [4], expected: 1)
        _ = try send(one, to: &applet)
        let reply = (0..<65_536).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        var portion = applet.answered(reply, to: .ctap2([4]))
        var whole = portion.data
        let fetch = [UInt8]([0, 0xC0, 0, 0, 1])
        while portion.status.remaining != nil, whole.count <= reply.count {
            guard case .respond(let next) = applet.receive(fetch) else { break }
            portion = next
            whole += next.data
        }
        #expect(whole == reply)
    }

    @Test(
        "Attack 36: every input has a response, and none is an internal error")
    func noise() throws {
        let random = SeededRandom(seed: 36)
        var applet = try selected()
        for round in 0..<20_000 {
            var bytes = random.bytes(Int(random.bytes(1)[0]) % 24)
            // Half of them begin as something that the applet knows.
            let known: [[UInt8]] = [
                [0x80, 0x10], [0x90, 0x10], [0, 0xC0], [0, 0xA4], [0x80, 0x11],
            ]
            if round.isMultiple(of: 2), bytes.count > 2 {
                bytes.replaceSubrange(0..<2, with: known[round / 2 % known.count])
            }
            if case .ask(let message, let mayWait) = applet.receive(bytes) {
                if mayWait { _ = applet.working(.processing) }
                _ = applet.answered(random.bytes(300), to: message)
            }
        }
        #expect(try send(Self.select, to: &applet) != Self.refusal(.fileNotFound))
    }
}
