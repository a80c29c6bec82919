// SPDX-License-Identifier: Apache-2.0
@preconcurrency import Dispatch
import Platform
import Synchronization

/// The terminal of a dialog. Tests have one of their own.
package protocol TerminalDevice: Sendable {
    /// The bytes that a person types; ends when the terminal is closed.
    var input: AsyncStream<[UInt8]> { get }
    var columns: Int { get }
    func write(_ text: String)
    /// Restores the terminal's modes. Does nothing the second time.
    func close()
}

/// The terminal that controls this process, `/dev/tty`, also if its input and output are redirected.
/// While it is open nothing is echoed, and Ctrl-C is a key and not a signal.
package final class ControllingTerminal: TerminalDevice {
    /// There is no terminal: a service, a pipe, a test.
    package struct Absent: Error, CustomStringConvertible {
        package var description: String { "there is no terminal for the dialog" }
    }

    package let input: AsyncStream<[UInt8]>
    private let descriptor: Descriptor
    private let source: any DispatchSourceRead
    private let original: TerminalModes
    private let isClosed = Mutex(false)

    package init() throws(Absent) {
        guard let terminal = try? Descriptor.open("/dev/tty", [.read, .write, .nonBlocking]) else {
            throw Absent()
        }
        guard let modes = TerminalModes(of: terminal) else {
            terminal.close()
            throw Absent()
        }
        (descriptor, original) = (terminal, modes)
        // Text that was typed before the prompt is not an answer to it.
        try? modes.keys.apply(to: terminal, .discardingInput)
        let (stream, continuation) = AsyncStream<[UInt8]>.makeStream()
        input = stream
        source = DispatchSource.makeReadSource(
            fileDescriptor: descriptor.rawValue, queue: DispatchQueue(label: "terminal"))
        Self.read(source, descriptor, into: continuation)
    }

    private static func read(
        _ source: any DispatchSourceRead, _ descriptor: Descriptor,
        into continuation: AsyncStream<[UInt8]>.Continuation
    ) {
        source.setEventHandler {
            do throws(PlatformError) {
                let bytes = try descriptor.read(atMost: 256)
                guard bytes.isEmpty else {
                    continuation.yield(bytes)
                    return
                }
            } catch {
                if error.code == .wouldBlock { return }
            }
            continuation.finish()
            source.cancel()
        }
        source.setCancelHandler {
            continuation.finish()
            descriptor.close()
        }
        source.resume()
    }

    /// The present width; 80 if it is not known.
    package var columns: Int { descriptor.columns ?? 80 }

    package func write(_ text: String) {
        isClosed.withLock { isClosed in
            guard !isClosed else { return }
            var bytes = Array(text.utf8)[...]
            while !bytes.isEmpty {
                do {
                    let count = try bytes.withUnsafeBytes { try descriptor.write($0) }
                    bytes = bytes.dropFirst(count)
                } catch let error as PlatformError where error.code == .wouldBlock {
                    let events = try? descriptor.wait(for: .writable, milliseconds: 1000)
                    guard events?.isEmpty == false else { return }
                } catch { return }
            }
        }
    }

    package func close() {
        isClosed.withLock { isClosed in
            guard !isClosed else { return }
            isClosed = true
            try? original.apply(to: descriptor, .afterOutput)
            source.cancel()
        }
    }

    deinit { close() }
}
