// SPDX-License-Identifier: Apache-2.0
import JOSE
package import NIOCore
import NIOPosix

/// Serves the agent's socket, `/run/gatehouse/agent.sock`: all users may send requests, each about
/// their own account.
package struct AgentServer: Sendable {
    /// Where it listens.
    package enum Place: Sendable, Equatable {
        case path(String)
        /// A socket that another program has opened, such as systemd.
        case descriptor(Int32)
    }

    private typealias Connection = NIOAsyncChannel<JSONObject, JSONObject>
    private let visits: AgentConnectionTracker
    private let tasks: ConnectionTasks
    private let listener: any Channel

    /// Listens and serves.
    ///
    /// - Parameters:
    ///   - programs: The paths of programs that may request tokens; empty for all.
    ///   - patience: The time limit of ``IdleConnectionHandler``.
    package init(
        _ agent: Agent, at place: Place, programs: [String] = [],
        patience: TimeAmount = IdleConnectionHandler.patience
    ) async throws {
        let (visits, tasks) = (AgentConnectionTracker(), ConnectionTasks())
        self.visits = visits
        self.tasks = tasks
        let service = ConnectionService(agent: agent, programs: programs)
        let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelInitializer { $0.pipeline.addHandler(ArrivalCounter(visits)) }
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.addAgentFrames()
                    try channel.pipeline.syncOperations.addHandler(
                        IdleConnectionHandler(patience: patience))
                    let connection = try Connection(wrappingChannelSynchronously: channel)
                    tasks.start { try? await service.serve(connection) }
                }
            }
        listener =
            switch place {
            case .path(let path):
                try await bootstrap.bind(
                    unixDomainSocketPath: path, cleanupExistingSocketFile: true
                ).get()
            case .descriptor(let descriptor):
                try await bootstrap.withBoundSocket(descriptor).get()
            }
    }

    /// How many connections there have been, and how many are open.
    package var visitors: (all: Int, open: Int) { visits.counts }

    /// Accepts no further connections: they wait in the socket for the next process that listens.
    /// Open connections are served, and then ``run()`` returns.
    package func close() async { try? await listener.close() }

    /// Returns after ``close()``, when all connections have ended. Cancelling the task closes the
    /// listener and the connections.
    package func run() async throws {
        try await withTaskCancellationHandler {
            try await listener.closeFuture.get()
            await tasks.finished()
        } onCancel: {
            listener.close(promise: nil)
            tasks.cancel()
        }
    }
}

/// Serves one connection.
private struct ConnectionService: Sendable {
    let agent: Agent
    let programs: [String]
    let counts = ConnectionLimiter()

    func serve(_ connection: NIOAsyncChannel<JSONObject, JSONObject>) async throws {
        try await connection.executeThenClose { messages, writer in
            let caller = try await AgentCaller.of(connection.channel)
            guard counts.enter(caller) else { return }
            defer { counts.leave(caller) }
            let conversation = AgentConnection(agent: agent, caller: caller, programs: programs) {
                try await writer.write($0)
            }
            do {
                for try await message in messages { await conversation.take(message) }
            } catch {
                // What cannot be read ends the connection, as its end would.
            }
            await conversation.gone()
        }
    }
}
