// SPDX-License-Identifier: Apache-2.0
import CTAP
import Synchronization

/// A transport whose replies a test makes; what was sent is kept, in order.
final class TestTransport: AuthenticatorTransport {
    typealias Answer =
        @Sendable (AuthenticatorMessage) async -> Result<[UInt8], TransportError>

    let speaksCTAP2: Bool
    let speaksU2F: Bool
    private let answer: Answer
    private let state = Mutex(State())

    struct State: Sendable {
        var messages: [AuthenticatorMessage] = []
        var cancellations = 0
        var isClosed = false
    }

    init(speaksCTAP2: Bool = true, speaksU2F: Bool = false, answer: @escaping Answer) {
        self.speaksCTAP2 = speaksCTAP2
        self.speaksU2F = speaksU2F
        self.answer = answer
    }

    /// The software key itself, with every reply open to a change.
    convenience init(
        _ key: SoftwareAuthenticator,
        change: @escaping @Sendable (CTAPRequest, [UInt8]) -> [UInt8] = { $1 }
    ) {
        self.init { message in
            guard case .ctap2(let frame) = message, let request = try? CTAPRequest(frame: frame)
            else { return .failure(.closed) }
            return .success(change(request, await key.respond(to: frame)))
        }
    }

    var log: State { state.withLock { $0 } }

    /// The CTAP2 requests that were sent.
    var requests: [CTAPRequest] {
        log.messages.compactMap { message in
            guard case .ctap2(let frame) = message else { return nil }
            return try? CTAPRequest(frame: frame)
        }
    }

    func exchange(
        _ message: AuthenticatorMessage, limit: Duration,
        keepalive: @escaping @Sendable (CTAPHIDKeepalive) -> Void
    ) async throws(TransportError) -> [UInt8] {
        state.withLock { $0.messages.append(message) }
        let answer = answer
        let result = await withTaskCancellationHandler {
            await answer(message)
        } onCancel: {
            cancel()
        }
        return try result.get()
    }

    func cancel() { state.withLock { $0.cancellations += 1 } }
    func close() { state.withLock { $0.isClosed = true } }

    /// Waits until the task is cancelled: a key that is never touched.
    static func untilCancelled() async -> Result<[UInt8], TransportError> {
        let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
        for await _ in stream {}
        withExtendedLifetime(continuation) {}
        return .success([CTAPStatus.keepaliveCancel.rawValue])
    }
}
