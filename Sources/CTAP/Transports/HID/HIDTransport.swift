// SPDX-License-Identifier: Apache-2.0
package import Primitives
import Threads

/// An open key that speaks CTAPHID, whatever carries its reports.
package final class HIDTransport: AuthenticatorTransport {
    package let speaksCTAP2: Bool
    package let speaksU2F: Bool
    private let worker: HIDWorker
    private let stream: any ReportStream
    private let running = RunningExchanges()

    /// Asks for a channel over a stream that the transport takes over.
    package init(
        _ stream: any ReportStream, clock: any MonotonicClock = SystemMonotonicClock(),
        random: any RandomSource, limits: HIDConnection.Limits = HIDConnection.Limits()
    ) async throws(TransportError) {
        do { worker = try HIDWorker() } catch {
            stream.close()
            throw TransportError(error)
        }
        self.stream = stream
        let capabilities = try await worker.connect(stream, clock, random, limits)
        speaksCTAP2 = capabilities.contains(.cbor)
        speaksU2F = !capabilities.contains(.noMessages)
    }

    package func exchange(
        _ message: AuthenticatorMessage, limit: Duration,
        keepalive: @escaping @Sendable (CTAPHIDKeepalive) -> Void
    ) async throws(TransportError) -> [UInt8] {
        try await running.run(wake: { [stream] in stream.wake() }) { cancellation in
            await worker.exchange(message, limit, cancellation, keepalive)
        }
    }

    package func cancel() { running.cancelAll() }

    package func close() {
        running.cancelAll()
        // The worker closes when it has finished: the descriptor must not be another file's while
        // it still waits on it.
        Task { [worker] in await worker.close() }
    }

    package func closed() async {
        running.cancelAll()
        await worker.close()
    }
}

/// The thread on which one key is waited for.
private actor HIDWorker {
    private nonisolated let thread: AuthenticatorThread
    private var connection: HIDConnection?
    private var stream: (any ReportStream)?

    init() throws(ThreadRefused) { thread = try AuthenticatorThread() }

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        thread.asUnownedSerialExecutor()
    }

    func connect(
        _ stream: any ReportStream, _ clock: any MonotonicClock, _ random: any RandomSource,
        _ limits: HIDConnection.Limits
    ) throws(TransportError) -> CTAPHIDCapabilities {
        self.stream = stream
        do {
            let connection = try HIDConnection(
                stream, clock: clock, random: random, limits: limits)
            self.connection = connection
            return connection.capabilities
        } catch {
            close()
            throw error
        }
    }

    func exchange(
        _ message: AuthenticatorMessage, _ limit: Duration, _ cancellation: ExchangeCancellation,
        _ keepalive: @Sendable (CTAPHIDKeepalive) -> Void
    ) -> Result<[UInt8], TransportError> {
        guard connection != nil else { return .failure(.closed) }
        let (command, payload): (CTAPHIDCommand, [UInt8]) =
            switch message {
            case .ctap2(let bytes): (.cbor, bytes)
            case .u2f(let bytes): (.message, bytes)
            }
        do throws(TransportError) {
            let reply = try connection?.exchange(
                command, payload, limit: limit.milliseconds, cancellation: cancellation,
                keepalive: keepalive)
            return reply.map { .success($0) } ?? .failure(.closed)
        } catch {
            if error == .removed { close() }
            return .failure(error)
        }
    }

    func close() {
        connection = nil
        stream?.close()
        stream = nil
    }
}
