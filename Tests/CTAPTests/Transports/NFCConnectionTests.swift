// SPDX-License-Identifier: Apache-2.0
import CTAP
import Synchronization
import Testing

/// A card made of a closure.
private final class ScriptedCard: CardChannel {
    private let answer: @Sendable (CommandAPDU) -> Result<ResponseAPDU, TransportError>
    private let commands = Mutex<[CommandAPDU]>([])
    private let limits = Mutex<[Int64]>([])

    /// The time limits of the commands.
    var patience: [Int64] { limits.withLock { $0 } }

    init(_ answer: @escaping @Sendable (CommandAPDU) -> Result<ResponseAPDU, TransportError>) {
        self.answer = answer
    }

    /// A card that selects properly, and then does as it is told.
    static func selected(
        _ version: String = "FIDO_2_0",
        then answer: @escaping @Sendable (CommandAPDU) -> Result<ResponseAPDU, TransportError>
    ) -> ScriptedCard {
        ScriptedCard { command in
            command.ins == 0xA4
                ? .success(ResponseAPDU(data: Array(version.utf8), status: .ok)) : answer(command)
        }
    }

    var log: [CommandAPDU] { commands.withLock { $0 } }

    func transmit(_ command: [UInt8], within limit: Int64) throws(TransportError) -> [UInt8] {
        limits.withLock { $0.append(limit) }
        guard let apdu = CommandAPDU(command) else { throw .tooLong }
        commands.withLock { $0.append(apdu) }
        return try answer(apdu).get().bytes
    }

    func close() {}
}

@Suite struct NFCConnectionTests {
    private let clock = SteppingClock()

    private func exchange(
        _ card: ScriptedCard, _ message: AuthenticatorMessage = .ctap2([4]),
        limit: Int64 = 60_000, cancellation: ExchangeCancellation = ExchangeCancellation {},
        keepalive: (CTAPHIDKeepalive) -> Void = { _ in }
    ) throws -> Result<[UInt8], TransportError> {
        let connection = try NFCConnection(card, clock: clock)
        do throws(TransportError) {
            return .success(
                try connection.exchange(
                    message, limit: limit, cancellation: cancellation, keepalive: keepalive))
        } catch { return .failure(error) }
    }

    private func failure(_ result: Result<[UInt8], TransportError>) -> TransportError? {
        if case .failure(let error) = result { error } else { nil }
    }

    @Test("getInfo is sent as python-fido2 sends it")
    func bytes() throws {
        let card = ScriptedCard.selected { _ in .success(ResponseAPDU(data: [0], status: .ok)) }
        #expect(try exchange(card) == .success([0]))
        #expect(card.log.last?.short == hex("80 10 80 00 01 04 00"))
        #expect(card.log.first?.short == hex("00 a4 04 00 08 a0000006472f0001 00"))
    }

    @Test("a long message goes in a chain, a long reply comes in portions")
    func chaining() throws {
        let chain = Mutex((CommandChainAssembler(), ResponseChain()))
        let card = ScriptedCard.selected { command in
            chain.withLock { chain in
                if command.ins == 0xC0 {
                    return .success(chain.1.next(expected: command.expected))
                }
                guard case .command(let whole)? = try? chain.0.receive(command) else {
                    return .success(ResponseAPDU(status: .ok))
                }
                return .success(
                    chain.1.begin(
                        ResponseAPDU(data: whole.data.reversed(), status: .ok),
                        expected: whole.expected))
            }
        }
        let message = (0..<1000).map { UInt8(truncatingIfNeeded: $0) }
        #expect(try exchange(card, .ctap2(message)) == .success(message.reversed()))
        #expect(card.log.map(\.cla) == [0x00, 0x90, 0x90, 0x90, 0x80, 0x00, 0x00, 0x00])
    }

    @Test("a U2F message goes as it is, and its status word comes back with the data")
    func u2f() throws {
        let card = ScriptedCard.selected("U2F_V2") { _ in
            .success(ResponseAPDU(data: [1, 2], status: .conditionsNotSatisfied))
        }
        let apdu = try #require(U2FRequest.version.apdu.extended)
        #expect(try exchange(card, .u2f(apdu)) == .success([1, 2, 0x69, 0x85]))
        #expect(card.log.last?.ins == 0x03)
    }

    @Test("a card without the applet is refused")
    func noApplet() {
        let card = ScriptedCard { _ in .success(ResponseAPDU(status: .fileNotFound)) }
        #expect(throws: TransportError.protocolViolation("no FIDO applet, status word 6A82")) {
            try NFCConnection(card, clock: clock)
        }
    }

    @Test("Attack 36: 61xx without a byte, again and again, is refused")
    func emptyPortions() throws {
        let card = ScriptedCard.selected { _ in .success(ResponseAPDU(status: .remaining(10))) }
        #expect(
            failure(try exchange(card)) == .protocolViolation("more to come, again and again"))
        #expect(card.log.count == 3)
    }

    @Test("Attack 36: 61xx without end stops at 64 KiB")
    func endlessPortions() throws {
        let card = ScriptedCard.selected { _ in
            .success(
                ResponseAPDU(data: [UInt8](repeating: 1, count: 256), status: .remaining(256)))
        }
        #expect(
            failure(try exchange(card)) == .protocolViolation("a response beyond any message"))
        #expect(card.log.count < 300)
    }

    @Test(
        "Attack 36: a status word that says no ends the exchange",
        arguments: [0x6700, 0x6982, 0x6985, 0x6A80, 0x6F00, 0x0000, 0xFFFF] as [UInt16])
    func statusWords(word: UInt16) throws {
        let status = StatusWord(rawValue: word)
        let card = ScriptedCard.selected { _ in .success(ResponseAPDU(status: status)) }
        #expect(failure(try exchange(card)) == .protocolViolation("status word \(status)"))
    }

    @Test("a card that supports only U2F reports it", arguments: [0x6D00, 0x6E00] as [UInt16])
    func noCTAP2(word: UInt16) throws {
        let card = ScriptedCard.selected("U2F_V2") { _ in
            .success(ResponseAPDU(status: StatusWord(rawValue: word)))
        }
        #expect(failure(try exchange(card)) == .channel(.invalidCommand))
    }

    @Test("Attack 36: a card that is taken away is reported as removed")
    func removed() throws {
        let card = ScriptedCard.selected { _ in .failure(.removed) }
        #expect(failure(try exchange(card)) == .removed)
    }

    @Test("Attack 36: an error inside a chain ends it")
    func brokenChain() throws {
        let card = ScriptedCard.selected { _ in
            .success(ResponseAPDU(status: .classNotSupported))
        }
        let message = [UInt8](repeating: 0, count: 600)
        #expect(
            failure(try exchange(card, .ctap2(message)))
                == .protocolViolation("status word 6E00 inside a chain"))
        #expect(card.log.count == 2)
    }

    @Test("Attack 36: keep-alives without end end with the limit")
    func endlessKeepalive() throws {
        let card = ScriptedCard.selected { _ in
            .success(ResponseAPDU(data: [2], status: .keepalive))
        }
        #expect(failure(try exchange(card, limit: 10_000)) == .timedOut)
        #expect(card.log.count <= 102)
    }

    @Test("Attack 36: no command may exceed the remaining time, nor the time of a touch")
    func patience() throws {
        let card = ScriptedCard.selected { _ in .success(ResponseAPDU(data: [0], status: .ok)) }
        #expect(try exchange(card, limit: 600_000) == .success([0]))
        #expect(card.patience.allSatisfy { 1...35_000 ~= $0 })
        let short = ScriptedCard.selected { _ in .success(ResponseAPDU(data: [0], status: .ok)) }
        #expect(try exchange(short, limit: 500) == .success([0]))
        #expect(short.patience.allSatisfy { 1...3000 ~= $0 })
        #expect(try #require(short.patience.last) <= 500)
    }

    @Test("the client polls a card that waits for a touch, and sends a cancellation")
    func keepaliveAndCancel() throws {
        let cancellation = ExchangeCancellation {}
        let card = ScriptedCard.selected { command in
            switch (command.ins, command.p1) {
            case (0x11, 0x11): return .success(ResponseAPDU(data: [0x2D], status: .ok))
            case (0x11, _):
                cancellation.request()
                return .success(ResponseAPDU(data: [2], status: .keepalive))
            default: return .success(ResponseAPDU(data: [1], status: .keepalive))
            }
        }
        let heard = Mutex<[CTAPHIDKeepalive]>([])
        let result = try exchange(card, cancellation: cancellation) { status in
            heard.withLock { $0.append(status) }
        }
        #expect(result == .success([0x2D]))
        #expect(heard.withLock { $0 } == [.processing, .userPresenceNeeded])
    }

    @Test("6Cxx: the command is repeated with the length that the card requires")
    func exactLength() throws {
        let card = ScriptedCard.selected { command in
            command.expected == 7
                ? .success(ResponseAPDU(data: [0], status: .ok))
                : .success(ResponseAPDU(status: StatusWord(rawValue: 0x6C07)))
        }
        #expect(try exchange(card) == .success([0]))
    }
}
