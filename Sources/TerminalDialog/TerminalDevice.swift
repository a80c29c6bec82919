// SPDX-License-Identifier: Apache-2.0
@preconcurrency import Dispatch
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The terminal of a dialog. Tests use a fake terminal.
package protocol TerminalDevice: Sendable {
    /// The input as it arrives; it ends when the terminal is closed.
    var input: AsyncStream<[UInt8]> { get }
    var columns: Int { get }
    func write(_ text: String)
    /// Restores the terminal's settings. A second call has no effect.
    func close()
}

/// The terminal that controls this process, `/dev/tty`: it is there even when input and output
/// go elsewhere. While it is open nothing is echoed, and Ctrl-C is a key and no signal.
package final class ControllingTerminal: TerminalDevice {
    /// There is no terminal: a service, a pipe, a test.
    package struct Absent: Error, CustomStringConvertible {
        package var description: String { "there is no terminal for the dialog" }
    }

    package let input: AsyncStream<[UInt8]>
    private let descriptor: Int32
    private let source: any DispatchSourceRead
    private let original: termios
    private let isClosed = Mutex(false)

    package init() throws(Absent) {
        descriptor = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw Absent() }
        var settings = termios()
        guard tcgetattr(descriptor, &settings) == 0 else {
            systemClose(descriptor)
            throw Absent()
        }
        original = settings
        settings.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG | IEXTEN)
        settings.c_iflag &= ~tcflag_t(IXON | ICRNL)
        // Input before the prompt is discarded.
        tcsetattr(descriptor, TCSAFLUSH, &settings)
        let (stream, continuation) = AsyncStream<[UInt8]>.makeStream()
        input = stream
        source = DispatchSource.makeReadSource(
            fileDescriptor: descriptor, queue: DispatchQueue(label: "terminal"))
        Self.read(source, descriptor, into: continuation)
    }

    private static func read(
        _ source: any DispatchSourceRead, _ descriptor: Int32,
        into continuation: AsyncStream<[UInt8]>.Continuation
    ) {
        source.setEventHandler {
            var bytes = [UInt8](repeating: 0, count: 256)
            let count = systemRead(descriptor, &bytes, bytes.count)
            if count > 0 {
                continuation.yield(Array(bytes.prefix(count)))
            } else if count == 0 || (errno != EAGAIN && errno != EINTR) {
                continuation.finish()
                source.cancel()
            }
        }
        source.setCancelHandler {
            continuation.finish()
            systemClose(descriptor)
        }
        source.resume()
    }

    /// The current width; 80 if the terminal does not report it.
    package var columns: Int {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    package func write(_ text: String) {
        isClosed.withLock { isClosed in
            guard !isClosed else { return }
            var bytes = Array(text.utf8)[...]
            while !bytes.isEmpty {
                let count = bytes.withUnsafeBytes {
                    systemWrite(descriptor, $0.baseAddress, $0.count)
                }
                if count > 0 {
                    bytes = bytes.dropFirst(count)
                } else if errno == EAGAIN {
                    var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    guard poll(&ready, 1, 1000) > 0 else { return }
                } else if errno != EINTR {
                    return
                }
            }
        }
    }

    package func close() {
        isClosed.withLock { isClosed in
            guard !isClosed else { return }
            isClosed = true
            var settings = original
            tcsetattr(descriptor, TCSADRAIN, &settings)
            source.cancel()
        }
    }

    deinit { close() }
}

private func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer, _ count: Int) -> Int
{
    read(descriptor, bytes, count)
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}

@discardableResult
private func systemClose(_ descriptor: Int32) -> Int32 { close(descriptor) }
