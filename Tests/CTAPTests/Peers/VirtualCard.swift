// SPDX-License-Identifier: Apache-2.0
import CTAP
import Dispatch
import Foundation
import Synchronization

#if canImport(Glibc)
    import Glibc
#endif

/// The software key as a smart card: the card's side of CTAP 2.2 section 11.3, put into a virtual
/// reader of vsmartcard's vpcd, which takes cards over TCP.
///
/// Every message is preceded by its length, two bytes; a message of one byte is not an APDU but
/// power off (0), power on (1), reset (2), or a question for the answer to reset (4).
final class VirtualCard: Sendable {
    struct CannotConnect: Error {}

    /// What the card does that others do not.
    enum Habit: Sendable {
        case none
        /// Says "still at work" (9100) to every message before it answers.
        case takesItsTime
        /// Is taken off the reader when this command arrives.
        case leavesAt(CTAPCommand)
    }

    /// T=1, without historical bytes: what readers say of contactless cards.
    private static let answerToReset: [UInt8] = [0x3B, 0x80, 0x80, 0x01, 0x01]

    private let authenticator: SoftwareAuthenticator
    private let habit: Habit
    private let socket: Int32
    private let counts = Mutex((chained: 0, portions: 0))

    /// How many command APDUs were parts of a chain, and how many portions were fetched.
    var seen: (chained: Int, portions: Int) { counts.withLock { $0 } }

    /// Puts the card into the reader that listens on `port`.
    init(_ authenticator: SoftwareAuthenticator, port: UInt16, habit: Habit = .none) throws {
        self.authenticator = authenticator
        self.habit = habit
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else {
            close(socket)
            throw CannotConnect()
        }
        Thread.detachNewThread { [self] in run() }
    }

    deinit { close(socket) }

    /// Takes the card off the reader.
    func leave() { shutdown(socket, Int32(SHUT_RDWR)) }

    // MARK: The reader's messages

    private func run() {
        var applet = Applet(card: self)
        while let length = receive(2), let message = receive(Int(length[0]) << 8 | Int(length[1])) {
            switch message {
            case [0], [1], [2]: applet = Applet(card: self)
            case [4]: send(Self.answerToReset)
            default:
                guard let response = applet.response(to: message) else { return leave() }
                send(response.bytes)
            }
        }
    }

    private func receive(_ count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        return recv(socket, &bytes, count, Int32(MSG_WAITALL)) == count ? bytes : nil
    }

    private func send(_ bytes: [UInt8]) {
        let message = [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)] + bytes
        _ = Glibc.send(socket, message, message.count, Int32(MSG_NOSIGNAL))
    }

    // MARK: The applet

    private struct Applet {
        let card: VirtualCard
        var commands = CommandChainAssembler()
        var responses = ResponseChain()
        var isSelected = false
        var kept: ResponseAPDU?

        /// `nil` when the card leaves instead of answering.
        mutating func response(to bytes: [UInt8]) -> ResponseAPDU? {
            guard let part = CommandAPDU(bytes) else { return ResponseAPDU(status: .wrongLength) }
            if part.ins == 0xC0 {
                card.counts.withLock { $0.portions += 1 }
                return responses.next(expected: part.expected)
            }
            if part.cla & CommandChain.moreFollows != 0 {
                card.counts.withLock { $0.chained += 1 }
            }
            switch try? commands.receive(part) {
            case .incomplete: return ResponseAPDU(status: .ok)
            case .command(let whole): return whole.ins == 0xA4 ? select(whole) : answer(whole)
            case nil: return ResponseAPDU(status: .wrongData)
            }
        }

        private mutating func select(_ command: CommandAPDU) -> ResponseAPDU {
            isSelected = command.p1 == 0x04 && command.data == NFCConnection.applicationId
            return isSelected
                ? ResponseAPDU(data: Array("U2F_V2".utf8), status: .ok)
                : ResponseAPDU(status: .fileNotFound)
        }

        private mutating func answer(_ command: CommandAPDU) -> ResponseAPDU? {
            guard isSelected else { return ResponseAPDU(status: .conditionsNotSatisfied) }
            switch (command.cla, command.ins) {
            case (0x80, 0x10):
                if case .leavesAt(let moment) = card.habit,
                    command.data.first == moment.rawValue
                {
                    return nil
                }
                let reply = ResponseAPDU(data: card.ask(command.data), status: .ok)
                guard case .takesItsTime = card.habit, command.p1 == 0x80 else {
                    return responses.begin(reply, expected: command.expected)
                }
                kept = reply
                return ResponseAPDU(data: [2], status: .keepalive)
            case (0x80, 0x11):
                guard let reply = kept else { return ResponseAPDU(status: .wrongData) }
                kept = nil
                return responses.begin(reply, expected: command.expected)
            default: return ResponseAPDU(status: .instructionNotSupported)
            }
        }
    }

    /// Waits, on the card's own thread.
    private func ask(_ message: [UInt8]) -> [UInt8] {
        let answer = Answer()
        Task { [authenticator] in
            answer.give(await authenticator.respond(to: message))
        }
        return answer.wait()
    }

    /// Carries a reply from a task to a thread.
    private final class Answer: Sendable {
        private let bytes = Mutex<[UInt8]>([])
        private let isThere = DispatchSemaphore(value: 0)

        func give(_ reply: [UInt8]) {
            bytes.withLock { $0 = reply }
            isThere.signal()
        }

        func wait() -> [UInt8] {
            isThere.wait()
            return bytes.withLock { $0 }
        }
    }
}
