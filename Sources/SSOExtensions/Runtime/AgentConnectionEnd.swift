// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Platform
import SingleSignOn
import Synchronization

/// The extension's end of the socket: any thread may send, and the answer to a call wakes its caller.
///
/// Calls may block, as Apple's methods of the login manager do. A thread that does not wait for other
/// threads reads the answers, so even a blocked main thread gets its answer.
final class AgentConnectionEnd: Sendable {
    typealias CallResult = Result<ExtensionCallResponse, ExtensionCallRefusal>

    private struct State {
        var calls: [UInt64: @Sendable (CallResult) -> Void] = [:]
        var issued: UInt64 = 0
        var isClosed = false
    }

    private let descriptor: Descriptor
    private let state = Mutex(State())
    private let writing = Mutex(())

    /// - Parameter descriptor: of the socket; not closed by this object.
    init(descriptor: Descriptor) {
        self.descriptor = descriptor
        descriptor.isInherited = false
    }

    // MARK: Out

    @discardableResult
    func send(_ message: ExtensionMessage) -> Bool {
        guard let frame = try? ExtensionFrame.bytes(of: message) else { return false }
        return writing.withLock { _ in
            var offset = 0
            while offset < frame.count {
                let count = frame[offset...].withUnsafeBytes { try? descriptor.send($0) }
                guard let count, count > 0 else { return false }
                offset += count
            }
            return true
        }
    }

    /// Calls, and passes the answer on from the thread that reads.
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
            resolve(number, .failure(.init(.malformed, "the call cannot be encoded")))
        }
    }

    /// Sends a call, and blocks this thread until the response.
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

    /// Reads until the agent closes the socket or sends what is not a message. Blocks.
    ///
    /// - Parameter received: Called for all messages except responses to calls.
    func read(_ received: (HostMessage) -> Void) {
        var frames = ExtensionFrameReader()
        while true {
            guard let bytes = try? descriptor.read(atMost: 65_536), !bytes.isEmpty,
                let contents = try? frames.read(bytes[...])
            else {
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

    private static let closed = ExtensionCallRefusal(.notOpen, "the agent has disconnected")
}
