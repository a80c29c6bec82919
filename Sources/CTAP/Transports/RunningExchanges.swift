// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The exchanges of one transport that are running or waiting.
final class RunningExchanges: Sendable {
    private let running = Mutex<[ObjectIdentifier: ExchangeCancellation]>([:])

    func cancelAll() {
        let all = running.withLock { Array($0.values) }
        for cancellation in all { cancellation.request() }
    }

    /// Runs `body` with a cancellation that the task and ``cancelAll()`` both reach.
    func run(
        wake: @escaping @Sendable () -> Void,
        _ body: (ExchangeCancellation) async -> Result<[UInt8], TransportError>
    ) async throws(TransportError) -> [UInt8] {
        let cancellation = ExchangeCancellation(wake: wake)
        let id = ObjectIdentifier(cancellation)
        running.withLock { $0[id] = cancellation }
        let result = await withTaskCancellationHandler {
            await body(cancellation)
        } onCancel: {
            cancellation.request()
        }
        running.withLock { $0[id] = nil }
        return try result.get()
    }
}
