// SPDX-License-Identifier: Apache-2.0
import HummingbirdCore
import ServiceLifecycle
import Synchronization

/// A server that can be asked to stop.
protocol StoppableServer: Service {
    func shutdownGracefully() async throws
}

extension Server: StoppableServer {}

/// Runs an HTTP server so that it is asked to stop only once it listens.
///
/// A server that hears of its end while it still binds lets go of a channel that nobody has
/// finished, and NIO ends the process over that (a precondition of `NIOAsyncWriter`). That is what
/// happens to its neighbours when a port is taken. So the server runs in a task of its own, which
/// neither a cancellation nor a graceful shutdown reaches; both are kept here until it listens.
struct ListenerService: Service {
    let server: any StoppableServer
    /// Opened when the server listens.
    let listening: StartLatch
    let failure: @Sendable (any Error) -> any Error

    /// How long connections may last when the group gives up without draining first.
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
                listening.perform { stop.give(up: Self.patience) }
            }
        } catch {
            throw failure(error)
        }
    }
}

/// The two ways in which a running server ends.
private final class Stop: Sendable {
    let running: Task<Void, any Error>
    private let server: any StoppableServer
    private let isDraining = Mutex(false)

    init(server: any StoppableServer, running: Task<Void, any Error>) {
        self.server = server
        self.running = running
    }

    /// Takes no more connections; ends when the requests under way are answered.
    func drain() {
        let isFirst = isDraining.withLock { draining in
            defer { draining = true }
            return !draining
        }
        guard isFirst else { return }
        Task {
            // The server's own task says what went wrong, if anything did.
            try? await server.shutdownGracefully()
        }
    }

    /// Drops connections: at once when there was time to drain, else after `patience`, so that
    /// what is accepted at this moment is let go of in order.
    func give(up patience: Duration) {
        if isDraining.withLock({ $0 }) { return running.cancel() }
        drain()
        Task {
            try? await Task.sleep(for: patience)
            running.cancel()
        }
    }
}
