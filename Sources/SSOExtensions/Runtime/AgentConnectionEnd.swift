// SPDX-License-Identifier: Apache-2.0
import Dispatch
import SingleSignOn
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The extension's end of the socket: messages go out from any thread, and answers to calls wake
/// whoever waits for them.
///
/// Calls may block: Apple's methods of the login manager do. Answers are taken in by a thread that
/// waits for nobody, so even a blocked main thread gets its answer.
final class AgentConnectionEnd: Sendable {
    typealias CallResult = Result<ExtensionCallResponse, ExtensionCallRefusal>

    private struct State {
        var calls: [UInt64: @Sendable (CallResult) -> Void] = [:]
        var issued: UInt64 = 0
        var isClosed = false
    }

    private let descriptor: Int32
    private let state = Mutex(State())
    private let writing = Mutex(())

    /// - Parameter descriptor: of the socket; not closed by this object.
    init(descriptor: Int32) {
        self.descriptor = descriptor
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    // MARK: Out

    @discardableResult
    func send(_ message: ExtensionMessage) -> Bool {
        guard let frame = try? ExtensionFrame.bytes(of: message) else { return false }
        return writing.withLock { _ in
            var offset = 0
            while offset < frame.count {
                let count = frame[offset...].withUnsafeBytes {
                    SocketCalls.send(descriptor, $0)
                }
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return false }
                offset += count
            }
            return true
        }
    }

    /// Calls, and has somebody told the answer on the thread that reads.
    func call(
        _ call: ExtensionCall, in request: UInt64,
        answered: @escaping @Sendable (CallResult) -> Void
    ) {
        let number = state.withLock { state -> UInt64? in
            guard !state.isClosed else { return nil }
            state.issued += 1
            state.calls[state.issued] = answered
            return state.issued
        }
        guard let number else { return answered(.failure(Self.closed)) }
        if !send(.call(number: number, request: request, call)) {
            resolve(number, .failure(.init(.malformed, "this cannot be said to the agent")))
        }
    }

    /// Calls, and waits on this thread.
    func call(
        _ call: ExtensionCall, in request: UInt64
    ) throws(ExtensionCallRefusal) -> ExtensionCallResponse {
        let result = Mutex<CallResult?>(nil)
        let answered = DispatchSemaphore(value: 0)
        withExtendedLifetime(answered) {
            self.call(call, in: request) { answer in
                result.withLock { $0 = answer }
                answered.signal()
            }
            answered.wait()
        }
        return try (result.withLock { $0 } ?? .failure(Self.closed)).get()
    }

    // MARK: In

    /// Reads until the agent is gone or says what no agent says; blocks.
    ///
    /// - Parameter received: called for all messages but answers to calls.
    func read(_ received: (HostMessage) -> Void) {
        var frames = ExtensionFrameReader()
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = SocketCalls.receive(descriptor, &buffer)
            if count < 0, errno == EINTR { continue }
            guard count > 0, let contents = try? frames.read(buffer[..<count]) else {
                return close()
            }
            for content in contents {
                guard let message = try? ExtensionFrame.message(HostMessage.self, in: content)
                else { return close() }
                if case .answer(let call, let result) = message {
                    resolve(call, result)
                } else {
                    received(message)
                }
            }
        }
    }

    private func resolve(_ number: UInt64, _ result: CallResult) {
        state.withLock { $0.calls.removeValue(forKey: number) }?(result)
    }

    private func close() {
        let calls = state.withLock { state in
            state.isClosed = true
            defer { state.calls = [:] }
            return state.calls
        }
        for answered in calls.values { answered(.failure(Self.closed)) }
    }

    private static let closed = ExtensionCallRefusal(.notOpen, "the agent is gone")
}
