// SPDX-License-Identifier: Apache-2.0
import CTAP
import Dispatch
import Foundation
import Synchronization

#if canImport(Glibc)
    import Glibc
#endif

/// The software key as a smart card, put into a virtual reader of vsmartcard's vpcd, which takes
/// cards over TCP.
///
/// Every message is preceded by its length, two bytes; a message of one byte is not an APDU but
/// power off (0), power on (1), reset (2), or a question for the answer to reset (4).
final class VirtualCard: Sendable {
    struct CannotConnect: Error {}

    /// The unusual behaviour of the card.
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

    /// The number of chained command APDUs, and of fetched portions.
    var seen: (chained: Int, portions: Int) { counts.withLock { $0 } }

    /// Puts the card into the reader that listens on `port`.
    init(_ authenticator: SoftwareAuthenticator, port: UInt16, habit: Habit = .none) throws {
        self.authenticator = authenticator
        self.habit = habit
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
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
        var applet = NFCApplet(speaksU2F: authenticator.configuration.speaksU2F)
        var kept: (message: AuthenticatorMessage, reply: [UInt8])?
        while let length = receive(2), let bytes = receive(Int(length[0]) << 8 | Int(length[1])) {
            switch bytes {
            case [0], [1], [2]: applet.reset()
            case [4]: send(Self.answerToReset)
            default:
                guard bytes.count > 1 else { return leave() }
                note(bytes)
                switch applet.receive(bytes) {
                case .respond(let response): send(response.bytes)
                case .ask(let message, let mayWait):
                    if leaves(at: message) { return leave() }
                    let reply = ask(message)
                    if mayWait, case .takesItsTime = habit {
                        kept = (message, reply)
                        send(applet.working(.userPresenceNeeded).bytes)
                    } else {
                        send(applet.answered(reply, to: message).bytes)
                    }
                case .poll:
                    guard let (message, reply) = kept else { return leave() }
                    kept = nil
                    send(applet.answered(reply, to: message).bytes)
                }
            }
        }
    }

    private func note(_ bytes: [UInt8]) {
        counts.withLock { counts in
            if bytes[1] == 0xC0 { counts.portions += 1 }
            if bytes[0] & CommandChain.moreFollows != 0 { counts.chained += 1 }
        }
    }

    private func leaves(at message: AuthenticatorMessage) -> Bool {
        guard case .leavesAt(let moment) = habit, case .ctap2(let frame) = message else {
            return false
        }
        return frame.first == moment.rawValue
    }

    private func receive(_ count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        return recv(socket, &bytes, count, Int32(MSG_WAITALL)) == count ? bytes : nil
    }

    private func send(_ bytes: [UInt8]) {
        let message = [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)] + bytes
        _ = Glibc.send(socket, message, message.count, Int32(MSG_NOSIGNAL))
    }

    // MARK: The key

    /// Waits, on the card's own thread.
    private func ask(_ message: AuthenticatorMessage) -> [UInt8] {
        let answer = ResponseSlot()
        Task { [authenticator] in
            switch message {
            case .ctap2(let frame): answer.set(await authenticator.respond(to: frame))
            case .u2f(let apdu): answer.set(await authenticator.respond(toMessage: apdu))
            }
        }
        return answer.wait()
    }

    /// Carries a reply from a task to a thread.
    private final class ResponseSlot: Sendable {
        private let bytes = Mutex<[UInt8]>([])
        private let isThere = DispatchSemaphore(value: 0)

        func set(_ reply: [UInt8]) {
            bytes.withLock { $0 = reply }
            isThere.signal()
        }

        func wait() -> [UInt8] {
            isThere.wait()
            return bytes.withLock { $0 }
        }
    }
}
