// SPDX-License-Identifier: Apache-2.0
import HummingbirdCore
import ServiceLifecycle
import Synchronization

/// A server that supports graceful shutdown.
protocol StoppableServer: Service {
    func shutdownGracefully() async throws
}

extension Server: StoppableServer {}

/// Runs an HTTP server and delays its stop until it listens.
///
/// A server that is stopped during `bind` releases an unfinished channel, and NIO terminates the
/// process (a precondition of `NIOAsyncWriter`). This happens to the other listeners if a port is
/// in use. Therefore the server runs in a detached task, which neither a cancellation nor a
/// graceful shutdown reaches. This service delays both until the server listens.
struct ListenerService: Service {
    let server: any StoppableServer
    /// Opens when the server listens.
    let listening: StartLatch
    let failure: @Sendable (any Error) -> any Error

    /// The time for open connections if the group is cancelled without a graceful shutdown.
    private static let patience = Duration.seconds(1)

    func run() async throws {
        let stop = Stop(server: server, running: Task.detached { try await server.run() })
        do {
            try await withTaskCancellationHandler {
                try await withGracefulShutdownHandler {
                    try await stop.running.value
                } onGracefulShutdown: {
                    listening.perform { stop.drain() }
                }
            } onCancel: {
                listening.perform { stop.stop(after: Self.patience) }
            }
        } catch {
            throw failure(error)
        }
    }
}

/// Stops a running server, gracefully or by dropping connections.
private final class Stop: Sendable {
    let running: Task<Void, any Error>
    private let server: any StoppableServer
    private let isDraining = Mutex(false)

    init(server: any StoppableServer, running: Task<Void, any Error>) {
        self.server = server
        self.running = running
    }

    /// Stops accepting connections. The server ends after the responses to pending requests.
    func drain() {
        let isFirst = isDraining.withLock { draining in
            defer { draining = true }
            return !draining
        }
        guard isFirst else { return }
        Task {
            // The server's own task throws its error.
            try? await server.shutdownGracefully()
        }
    }

    /// Drops connections: at once when there was time to drain, else after `patience`, so that
    /// what is accepted at this moment is let go of in order.
    func stop(after patience: Duration) {
        if isDraining.withLock({ $0 }) { return running.cancel() }
        drain()
        Task {
            try? await Task.sleep(for: patience)
            running.cancel()
        }
    }
}
