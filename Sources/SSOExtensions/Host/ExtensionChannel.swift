// SPDX-License-Identifier: Apache-2.0
import SingleSignOn
import Synchronization
import Threads

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The agent's end of the socket. One thread reads and writes, so an extension that does not read
/// keeps nobody waiting: what it leaves unread grows to a limit, and then it is not spoken to any
/// longer.
final class ExtensionChannel: Sendable {
    /// What may wait to be written.
    static let maximumWaiting = 4 * ExtensionFrame.maximumBytes

    private struct State {
        var waiting: [UInt8] = []
        /// Told when the last message has been passed on; `nil` while the process lives.
        var ended: (@Sendable () -> Void)?
        var isShut = false
    }

    private let socket: Int32
    /// Its second end wakes the thread.
    private let wake: (reader: Int32, writer: Int32)
    private let state = Mutex(State())

    /// - Parameters:
    ///   - socket: taken over.
    ///   - received: called on the channel's thread, message by message.
    ///   - fault: called once at most, when the other end said what no extension says. The end of
    ///     the connection is no fault: the end of the process follows, or a deadline.
    init(
        socket: Int32, received: @escaping @Sendable (ExtensionMessage) -> Void,
        fault: @escaping @Sendable (String) -> Void
    ) throws(ExtensionError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            close(socket)
            throw ExtensionError(.cannotStart, "pipe: \(errno)")
        }
        for file in ends + [socket] {
            _ = fcntl(file, F_SETFD, FD_CLOEXEC)
            _ = fcntl(file, F_SETFL, O_NONBLOCK)
        }
        self.socket = socket
        wake = (ends[0], ends[1])
        do throws(ThreadCreationError) {
            try BackgroundThread.start(niceness: 0, stackSize: 524_288) { [self] in
                run(received, fault)
            }
        } catch {
            for file in ends + [socket] { close(file) }
            throw ExtensionError(.cannotStart, "no thread: \(error.code)")
        }
    }

    /// Whether the message will be written.
    func send(_ message: HostMessage) -> Bool {
        guard let frame = try? ExtensionFrame.bytes(of: message) else { return false }
        return state.withLock { state in
            guard !state.isShut, state.waiting.count + frame.count <= Self.maximumWaiting
            else { return false }
            state.waiting += frame
            nudge()
            return true
        }
    }

    /// The process has ended: passes on what it had said by then, and closes.
    func end(_ ended: @escaping @Sendable () -> Void) {
        let isShut = state.withLock { state in
            guard !state.isShut else { return true }
            state.ended = ended
            nudge()
            return false
        }
        if isShut { ended() }
    }

    /// Under the lock: the pipe is open while the channel is.
    private func nudge() {
        var byte: UInt8 = 1
        _ = write(wake.writer, &byte, 1)
    }

    private func run(
        _ received: (ExtensionMessage) -> Void, _ fault: (String) -> Void
    ) {
        var frames = ExtensionFrameReader()
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while hasInput(&buffer) {
            let count = SocketCalls.receive(socket, &buffer)
            if count < 0, errno == EAGAIN || errno == EINTR {
                if hasEnded { break }
                continue
            }
            guard count > 0 else { break }
            do throws(ExtensionMessageError) {
                for frame in try frames.read(buffer[..<count]) {
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
    private func hasInput(_ buffer: inout [UInt8]) -> Bool {
        while !hasEnded {
            var polled = [
                pollfd(
                    fd: socket, events: Int16(isWriting ? POLLIN | POLLOUT : POLLIN), revents: 0),
                pollfd(fd: wake.reader, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&polled, 2, -1) >= 0 || errno == EINTR else { return false }
            if polled[1].revents != 0 { _ = read(wake.reader, &buffer, buffer.count) }
            if polled[0].revents & Int16(POLLOUT) != 0 { flush() }
            if polled[0].revents & Int16(POLLIN | POLLHUP | POLLERR) != 0 { return true }
        }
        return true
    }

    private var isWriting: Bool { state.withLock { !$0.waiting.isEmpty } }
    private var hasEnded: Bool { state.withLock { $0.ended != nil } }

    private func flush() {
        state.withLock { state in
            let count = state.waiting.withUnsafeBytes { SocketCalls.send(socket, $0) }
            if count > 0 { state.waiting.removeFirst(count) }
        }
    }

    private func shut() {
        let ended = state.withLock { state in
            state.isShut = true
            state.waiting = []
            for file in [socket, wake.reader, wake.writer] { close(file) }
            return state.ended
        }
        ended?()
    }
}
