// SPDX-License-Identifier: Apache-2.0
import Platform

/// An open key on a smart-card reader.
package final class NFCTransport: AuthenticatorTransport {
    package let speaksCTAP2: Bool
    package let speaksU2F: Bool
    private let worker: NFCWorker
    private let running = RunningExchanges()

    /// - Parameter connect: Makes the channel, on the card's own thread.
    package init(
        clock: any MonotonicClock = SystemMonotonicClock(),
        connect: @escaping @Sendable () throws(TransportError) -> any CardChannel
    ) async throws(TransportError) {
        do { worker = try NFCWorker() } catch { throw TransportError(error) }
        (speaksCTAP2, speaksU2F) = try await worker.connect(connect, clock)
    }

    package func exchange(
        _ message: AuthenticatorMessage, limit: Duration,
        keepalive: @escaping @Sendable (CTAPHIDKeepalive) -> Void
    ) async throws(TransportError) -> [UInt8] {
        // A card is asked again every moment, and sees the cancellation then.
        try await running.run(wake: {}) { cancellation in
            await worker.exchange(message, limit, cancellation, keepalive)
        }
    }

    package func cancel() { running.cancelAll() }

    package func close() {
        running.cancelAll()
        Task { [worker] in await worker.close() }
    }

    package func closed() async {
        running.cancelAll()
        await worker.close()
    }
}

/// The thread on which one card is waited for.
private actor NFCWorker {
    private nonisolated let thread: AuthenticatorThread
    private var channel: (any CardChannel)?
    private var connection: NFCConnection?

    init() throws(PlatformError) { thread = try AuthenticatorThread() }

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        thread.asUnownedSerialExecutor()
    }

    func connect(
        _ connect: @Sendable () throws(TransportError) -> any CardChannel,
        _ clock: any MonotonicClock
    ) throws(TransportError) -> (ctap2: Bool, u2f: Bool) {
        let channel = try connect()
        do {
            let connection = try NFCConnection(channel, clock: clock)
            self.channel = channel
            self.connection = connection
            return (connection.speaksCTAP2, connection.speaksU2F)
        } catch {
            channel.close()
            throw error
        }
    }

    func exchange(
        _ message: AuthenticatorMessage, _ limit: Duration, _ cancellation: ExchangeCancellation,
        _ keepalive: @Sendable (CTAPHIDKeepalive) -> Void
    ) -> Result<[UInt8], TransportError> {
        guard let connection else { return .failure(.closed) }
        do throws(TransportError) {
            return .success(
                try connection.exchange(
                    message, limit: limit.milliseconds, cancellation: cancellation,
                    keepalive: keepalive))
        } catch {
            // A card that was asked and has not answered cannot be asked anything else.
            if error == .removed || error == .timedOut { close() }
            return .failure(error)
        }
    }

    func close() {
        connection = nil
        channel?.close()
        channel = nil
    }
}
