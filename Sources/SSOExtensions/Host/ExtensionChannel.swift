// SPDX-License-Identifier: Apache-2.0
import Platform
import SingleSignOn
import Synchronization

/// The agent's end of the socket. One thread reads and writes, so an extension that does not read
/// does not block a caller. Unread messages accumulate to a limit; further messages are not sent.
final class ExtensionChannel: Sendable {
    /// The most bytes that may wait to be written.
    static let maximumWaiting = 4 * ExtensionFrame.maximumBytes

    private struct State {
        var waiting: [UInt8] = []
        /// Called after the last message was passed on; `nil` while the process runs.
        var ended: (@Sendable () -> Void)?
        var isShut = false
    }

    private let socket: Descriptor
    private let alarm: WakePipe
    private let state = Mutex(State())

    /// - Parameters:
    ///   - socket: The channel closes it.
    ///   - received: called on the channel's thread, message by message.
    ///   - fault: called at most once, if the other end sends what is not a message. The end of the
    ///     connection is not a fault: the end of the process follows, or a deadline.
    init(
        socket: Descriptor, received: @escaping @Sendable (ExtensionMessage) -> Void,
        fault: @escaping @Sendable (String) -> Void
    ) throws(ExtensionError) {
        self.socket = socket
        do throws(PlatformError) {
            alarm = try WakePipe()
            socket.isInherited = false
            socket.isNonBlocking = true
            try BackgroundThread.start(niceness: 0, stackSize: 524_288) { [self] in
                run(received, fault)
            }
        } catch {
            socket.close()
            throw ExtensionError(.cannotStart, "\(error)")
        }
    }

    /// Queues a message. Returns whether it will be written.
    func send(_ message: HostMessage) -> Bool {
        guard let frame = try? ExtensionFrame.bytes(of: message) else { return false }
        return state.withLock { state in
            guard !state.isShut, state.waiting.count + frame.count <= Self.maximumWaiting
            else { return false }
            state.waiting += frame
            alarm.wake()
            return true
        }
    }

    /// The process has ended: passes on its last messages and closes.
    func end(_ ended: @escaping @Sendable () -> Void) {
        let isShut = state.withLock { state in
            guard !state.isShut else { return true }
            state.ended = ended
            alarm.wake()
            return false
        }
        if isShut { ended() }
    }

    private func run(
        _ received: (ExtensionMessage) -> Void, _ fault: (String) -> Void
    ) {
        var frames = ExtensionFrameReader()
        while hasInput() {
            let bytes: [UInt8]
            do throws(PlatformError) { bytes = try socket.read(atMost: 65_536) } catch {
                guard error.code == .wouldBlock, !hasEnded else { break }
                continue
            }
            guard !bytes.isEmpty else { break }
            do throws(ExtensionMessageError) {
                for frame in try frames.read(bytes[...]) {
                    received(try ExtensionFrame.message(ExtensionMessage.self, in: frame))
                }
            } catch {
                fault(error.description)
                break
            }
        }
        shut()
    }

    /// Writes what waits, until there may be something to read. Whether there may.
    private func hasInput() -> Bool {
        while !hasEnded {
            var files = PollSet()
            files.append(socket, for: isWriting ? [.readable, .writable] : .readable)
            files.append(alarm.reader, for: .readable)
            guard (try? files.wait()) != nil else { return false }
            if !files[1].isEmpty { alarm.drain() }
            if files[0].contains(.writable) { flush() }
            if !files[0].isDisjoint(with: [.readable, .hangUp, .error]) { return true }
        }
        return true
    }

    private var isWriting: Bool { state.withLock { !$0.waiting.isEmpty } }
    private var hasEnded: Bool { state.withLock { $0.ended != nil } }

    private func flush() {
        state.withLock { state in
            let count = state.waiting.withUnsafeBytes { try? socket.send($0) }
            state.waiting.removeFirst(count ?? 0)
        }
    }

    private func shut() {
        let ended = state.withLock { state in
            state.isShut = true
            state.waiting = []
            socket.close()
            return state.ended
        }
        ended?()
    }
}
