// SPDX-License-Identifier: Apache-2.0
import Platform
package import Primitives

/// An open key that speaks CTAPHID, whatever carries its reports.
package final class HIDTransport: AuthenticatorTransport {
    package let speaksCTAP2: Bool
    package let speaksU2F: Bool
    private let worker: HIDWorker
    private let stream: any ReportStream
    private let running = RunningExchanges()

    /// Opens a channel over a stream, which the transport then owns.
    ///
    /// - Parameter thread: The thread that waits for the key; `nil` for the thread of all clients.
    package init(
        _ stream: any ReportStream, clock: any MonotonicClock = SystemMonotonicClock(),
        random: any RandomSource, limits: HIDConnection.Limits = HIDConnection.Limits(),
        thread: AuthenticatorThread? = nil
    ) async throws(TransportError) {
        do { worker = try HIDWorker(thread) } catch {
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
        // it is still waited on.
        Task { [worker] in await worker.close() }
    }

    package func closed() async {
        running.cancelAll()
        await worker.close()
    }
}

/// One key and who speaks with it, one exchange after the other.
///
/// It works on the thread of all clients, which waits for every key at once: a ceremony that runs
/// there sends and receives without leaving it.
private actor HIDWorker {
    private nonisolated let thread: AuthenticatorThread
    private var connection: HIDConnection?
    private var stream: (any ReportStream)?
    private var isTaken = false
    private var line: [CheckedContinuation<Void, Never>] = []

    init(_ thread: AuthenticatorThread?) throws(PlatformError) {
        self.thread = if let thread { thread } else { try .ofClients() }
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        thread.asUnownedSerialExecutor()
    }

    func connect(
        _ stream: any ReportStream, _ clock: any MonotonicClock, _ random: any RandomSource,
        _ limits: HIDConnection.Limits
    ) async throws(TransportError) -> CTAPHIDCapabilities {
        await reserve()
        defer { passTurn() }
        self.stream = stream
        do {
            let connection = try await HIDConnection(
                stream, clock: clock, random: random, limits: limits)
            self.connection = connection
            return connection.capabilities
        } catch {
            release()
            throw error
        }
    }

    func exchange(
        _ message: AuthenticatorMessage, _ limit: Duration, _ cancellation: ExchangeCancellation,
        _ keepalive: @Sendable (CTAPHIDKeepalive) -> Void
    ) async -> Result<[UInt8], TransportError> {
        await reserve()
        defer { passTurn() }
        guard var connection else { return .failure(.closed) }
        let (command, payload): (CTAPHIDCommand, [UInt8]) =
            switch message {
            case .ctap2(let bytes): (.cbor, bytes)
            case .u2f(let bytes): (.message, bytes)
            }
        do throws(TransportError) {
            let reply = try await connection.exchange(
                command, payload, limit: limit.milliseconds, cancellation: cancellation,
                keepalive: keepalive)
            self.connection = connection
            return .success(reply)
        } catch {
            self.connection = connection
            if error == .removed { release() }
            return .failure(error)
        }
    }

    func close() async {
        await reserve()
        defer { passTurn() }
        release()
    }

    private func release() {
        connection = nil
        stream?.close()
        stream = nil
    }

    // MARK: Turns

    /// Waits for the transport and reserves it in one step, so that no other task can reserve it
    /// between test and wait.
    private func reserve() async {
        await withCheckedContinuation { waiter in
            if isTaken {
                line.append(waiter)
            } else {
                isTaken = true
                waiter.resume()
            }
        }
    }

    private func passTurn() {
        if line.isEmpty { isTaken = false } else { line.removeFirst().resume() }
    }
}
